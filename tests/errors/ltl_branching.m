-- expect: 6:11: error: "AF" is an operator of branching time (ctl), not of ltl
-- hint: ltl formulas have X, F, G, U, W, R and M
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
ruleset i: 0..3 do rule "r" x ==> begin x := false; end; end;
ltl "a" G (AF x);
