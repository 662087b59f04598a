-- The guard follows 40 pointers: the complete engine does not follow permutations through such large terms.
const N: 2;
type P: scalarset(N);
var at: array [P] of 0..1;
    y: array [P] of P;
startstate for p: P do at[p] := 0; y[p] := p end; end;
ruleset p: P; q: P do
  rule "point" at[p] = 0 ==> y[p] := q; at[p] := 1; end;
  rule "back" at[p] = 1 & y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[y[p]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]] = q ==> at[p] := 0; end;
end;
invariant "in range" forall p: P do at[p] <= 1 end;
