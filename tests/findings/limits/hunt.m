-- The automaton of the formula is large: looking for its violations takes longer than there is time. The violation of the
-- invariant, found before, was lost.
type P: 1..300;
var x: array [P] of 0..1;
startstate begin for p: P do x[p] := 0; end; end;
ruleset p: P do rule "turn" begin x[p] := 1 - x[p]; end; end;
invariant "first" x[1] = 0;
ltl "not all" !(F x[1] = 1 & F x[2] = 1 & F x[3] = 1 & F x[4] = 1 & F x[5] = 1 & F x[6] = 1 & F x[7] = 1 & F x[8] = 1 & F x[9] = 1 & F x[10] = 1 & F x[11] = 1);
