-- expect: 6:1: error: expected a declaration, a rule or a property, found "fairnes"
-- hint: did you mean "fairness"?
var a, b: boolean; x: 0..3;
startstate begin a := false; b := false; x := 0; end;
ruleset i: 0..3 do rule "enter" x = i ==> begin x := 0; a := !a; b := !b; end; end;
fairnes weak;
