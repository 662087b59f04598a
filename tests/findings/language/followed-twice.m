-- Links are followed through both indices at once: what is said of d before n such steps is a term that doubles n times.
type P: 0..1; Place: enum { A, B, C, D };
var at: array [P] of Place; m: array [P] of array [P] of P; d: P; n: 0..60;
startstate begin
  for i: P do at[i] := A; for j: P do m[i][j] := 1 - i; end; end;
  d := 0; n := 0;
end;
ruleset i: P do
  rule "step" at[i] = A & n < 60 ==> begin d := m[d][d]; n := n + 1; end;
  rule "turn" at[i] = A & n = 60 & d = i ==> begin at[i] := B; end;
end;
invariant "never both" !(at[0] = B & at[1] = B);
