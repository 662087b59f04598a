-- expect: 6:10: error: expected "weak" or "strong", found "weka"
-- hint: did you mean "weak"?
var a, b: boolean; x: 0..3;
startstate begin a := false; b := false; x := 0; end;
ruleset i: 0..3 do rule "enter" x = i ==> begin x := 0; a := !a; b := !b; end; end;
fairness weka;
