-- Two processes' numbers are added in one term: partitions of the processes do not follow that.
const N: 3;
type P: scalarset(N);
var x: array [P] of 0..2;
    d: boolean;
startstate for p: P do x[p] := 0 end; d := false; end;
ruleset p: P do rule "up" x[p] < 2 ==> x[p] := x[p] + 1; end end;
rule "sum" exists p: P do exists q: P do p != q & x[p] + x[q] = 3 end end ==> d := !d; end;
invariant "product" forall p: P do forall q: P do x[p] * x[q] + x[p] <= 6 end end;
