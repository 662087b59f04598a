-- Violated with 5 of P and more.
const N: 3;
type P: scalarset(N);
var v: array[1..5] of P; k: 0..5;
startstate begin k := 0; undefine v; end;
ruleset i: P do rule "pick" k<5 & forall j: 1..5 do isundefined(v[j]) | v[j]!=i end ==> begin v[k+1] := i; k := k+1; end; end;
invariant "few" k < 5;
