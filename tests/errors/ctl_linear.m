-- expect: 6:11: error: expected the end of the formula, found "x"
-- hint: G is an operator of ltl properties; in a ctl property write AG or EG
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
ruleset i: 0..3 do rule "r" x ==> begin x := false; end; end;
ctl "a" G x;
