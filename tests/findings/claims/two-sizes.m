-- Violated with one P and two D, in one step; with equal sizes it holds.
const N: 2; M: 2;
type P: scalarset(N); D: scalarset(M);
var a: array [P] of boolean; b: array [D] of boolean; bad: boolean;
startstate begin for i: P do a[i] := true; end; for d: D do b[d] := true; end; bad := false; end;
rule "one P, two D"
  (forall i: P do forall j: P do i = j end end) & (exists d: D do exists e: D do d != e end end)
==> begin bad := true; end;
invariant "good" !bad;
