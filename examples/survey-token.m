-- Mutual exclusion with a token (Wahl, Donaldson 2010, Figure 1, right): the token goes round, so the processes are in a ring, and the
-- token variable is id-sensitive: it holds the number of a process. Only rotations are symmetries: exchanging two processes changes who comes next.
--
-- Each process that tries gets in, but only if the process that has the token does try: a token held by a process
-- that is not interested blocks all others, so "Whoever tries gets in" is false and not part of this model.
--
--   noether check examples/survey-token.m
--   noether symmetry examples/survey-token.m        rotations only, and the line that is the reason
--
-- What to expect: every property holds; 12 states stand for 36.
--
-- noether: verdict=holds states=36 canonical=12 rules=72 canonical_rules=24
-- noether: rumur=no
const N: 3;
type
  Process: 0 .. N - 1;
  Location: enum {N_, T, C};
var
  state: array [Process] of Location;
  token: Process; -- who may enter next

ruleset first: Process do
  startstate begin
    for p: Process do state[p] := N_; end;
    token := first;
  end;
end;

ruleset p: Process do
  rule "try" state[p] = N_ ==> begin state[p] := T; end;
  rule "enter" state[p] = T & token = p ==> begin state[p] := C; end;
  rule "leave" state[p] = C ==> begin state[p] := N_; token := (token + 1) % N; end;
end;

ctl "Mutual exclusion" AG forall p: Process do forall q: Process do
  state[p] = C & state[q] = C -> p = q end end;
ctl "Only the owner of the token is in" AG forall p: Process do state[p] = C -> token = p end;
ctl "Whoever tries can get in" AG forall p: Process do state[p] = T -> EF state[p] = C end;
ctl "The owner that tries gets in, or keeps the token for ever"
  AG forall p: Process do state[p] = T & token = p -> A[token = p U state[p] = C] | EG token = p end;
