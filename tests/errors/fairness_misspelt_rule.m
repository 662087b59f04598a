-- expect: 6:1: error: there is no rule "entr"
-- hint: did you mean "enter"?
var a, b: boolean; x: 0..3;
startstate begin a := false; b := false; x := 0; end;
ruleset i: 0..3 do rule "enter" x = i ==> begin x := 0; a := !a; b := !b; end; end;
fairness strong "entr";
