-- Processes go round freely: many ways to distribute them, counted symbolically.
const N: 64;
type P: scalarset(N); L: enum { A, B, C, D, E };
var at: array [P] of L;
startstate begin for p: P do at[p] := A end end;
ruleset p: P do
  rule "b" at[p] = A ==> begin at[p] := B end;
  rule "c" at[p] = B ==> begin at[p] := C end;
  rule "d" at[p] = C ==> begin at[p] := D end;
  rule "e" at[p] = D ==> begin at[p] := E end;
  rule "a" at[p] = E ==> begin at[p] := A end;
end;
fair exists p: P do at[p] = E end;
ltl "again" G F exists p: P do at[p] = A end;
ltl "once" F exists p: P do at[p] = C end;
ltl "each" forall p: P do G (at[p] = B -> F at[p] = C) end;
