-- expect: 6:20: error: expected ")" to match the "(", found "!"
-- hint: F is an operator of ltl properties; in a ctl property write AF or EF
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
ruleset i: 0..3 do rule "r" x ==> begin x := false; end; end;
ctl "a" AG (x -> F !x);
