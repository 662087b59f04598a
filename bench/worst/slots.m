-- A ring of three with many cells each: an image costs more than a rule, so the search for the least one does not pay.
const K: 12; M: 5;
type P: 0..2; Q: 0..K - 1;
var slot: array [P] of array [Q] of 0..1; at: array [P] of Q; round: array [P] of 0..M;
startstate begin for p: P do for q: Q do slot[p][q] := 0; end; at[p] := 0; round[p] := 0; end; end;
ruleset p: P do
  rule "fill" slot[p][at[p]] = 0 & at[(p + 1) % 3] + 3 > at[p] ==> begin slot[p][at[p]] := 1; at[p] := (at[p] + 1) % K; end;
  rule "empty" slot[p][at[p]] = 1 & round[p] < M & round[p] <= round[(p + 1) % 3] ==>
  begin slot[p][at[p]] := 0; at[p] := (at[p] + 1) % K; round[p] := round[p] + (at[p] = 0 ? 1 : 0); end;
end;
