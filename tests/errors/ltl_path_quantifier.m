-- expect: 6:9: error: "A[... U ...]" is an operator of branching time (ctl), not of ltl
-- hint: an ltl formula is about all runs: write f U g
var a, b: boolean; x: 0..3;
startstate begin a := false; b := false; x := 0; end;
ruleset i: 0..3 do rule "enter" x = i ==> begin x := 0; a := !a; b := !b; end; end;
ltl "p" A[a U b];
