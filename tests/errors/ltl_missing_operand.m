-- expect: 6:12: error: expected an expression, found ";"
--
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
ruleset i: 0..3 do rule "r" x ==> begin x := false; end; end;
ltl "a" x U;
