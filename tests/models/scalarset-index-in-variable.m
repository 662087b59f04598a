-- Each process picks a cell and writes it through what it picked: which row a step touches depends on the state, and several
-- processes may touch one.
--
-- noether: verdict=holds states=1503 canonical=275 rules=6021 canonical_rules=1107
-- noether: rumur=yes
const N: 3;
type P: scalarset(N); Place: enum { idle, bound, done };
var pc: array [P] of Place; at: array [P] of P; out: array [P] of 0..2;
startstate begin
  for p: P do pc[p] := idle; at[p] := p; out[p] := 0; end;
end;
ruleset p: P; q: P do
  rule "pick" pc[p] = idle ==> begin at[p] := q; pc[p] := bound; end;
end;
ruleset p: P do
  rule "write" pc[p] = bound ==> begin out[at[p]] := 1; pc[p] := done; end;
  rule "take back" pc[p] = done & out[at[p]] = 1 ==> begin out[at[p]] := 0; pc[p] := idle; end;
end;
invariant "marked by someone" forall q: P do out[q] = 1 -> exists p: P do pc[p] != idle & at[p] = q end end;
