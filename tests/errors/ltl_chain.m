-- expect: 6:15: error: "U" after another one is ambiguous
-- hint: use parentheses
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
ruleset i: 0..3 do rule "r" x ==> begin x := false; end; end;
ltl "a" x U x U x;
