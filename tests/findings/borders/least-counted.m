-- The number -2147483648 beside local states of processes.
const LEAST: -2147483648;
type P: scalarset(3);
var at: array [P] of 0..2;
startstate for p: P do at[p] := 0; end; end;
ruleset p: P do
  rule "r" at[p] < 2 & at[p] > LEAST & at[p] + LEAST < LEAST + 2 ==> at[p] := at[p] + 1; end;
end;
invariant "i" forall p: P do at[p] != LEAST & -LEAST != at[p] end;
