-- 12,096 start states: more than the sat engine compares under permutations.
const N: 3;
type P: scalarset(N);
     V: 0..63;
var x: array [P] of V;
ruleset one: P; a: V; b: V do
startstate
  for p: P do x[p] := a end;
  x[one] := b;
end end;
ruleset p: P do rule "down" x[p] > 0 ==> x[p] := x[p] - 1; end end;
invariant "small" forall p: P do x[p] < 64 end;
