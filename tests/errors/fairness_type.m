-- expect: 6:15: error: "x" is not a type
-- hint: the name of a rule stands in quotes
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
ruleset i: 0..3 do rule "r" x ==> begin x := false; end; end;
fairness weak x;
