-- N processes that go round three places, each by itself: not interested (Not; N in the picture), trying (T), critical (C).
--
-- The model of docs/symmetry-in-ten-minutes.md. It has nine states for two processes; exchanging the processes makes orbits of them, six in
-- all, and one state of each orbit is enough.
--
--   noether check examples/survey-quotient.m                    6 states stand for 9
--   noether check examples/survey-quotient.m --symmetry off     all 9
--   noether check examples/survey-quotient.m -D N=20            231 stand for 3,486,784,401
--
-- What to expect: both properties hold. They are of the logic CTL: AG is "always, whatever happens", EF "it is possible that sometime", AF
-- "whatever happens, sometime". There is no mutual exclusion here: all processes may be in C at once.
--
-- Wahl and Donaldson ("Replication and Abstraction: Symmetry in Automated Formal Verification", 2010) draw the nine states and the six in
-- their Figures 2 and 3; that both satisfy the same formulas, if these name no process, is their Theorem 5.
--
-- noether: verdict=holds states=9 canonical=6 rules=18 canonical_rules=12
-- noether: with N=5 verdict=holds states=243 canonical=21
-- noether: rumur=no
const N: 2;
type
  Process: scalarset(N);
  Location: enum {C, Not, T};
var state: array [Process] of Location;

startstate begin for p: Process do state[p] := Not; end; end;

ruleset p: Process do
  rule "try" state[p] = Not ==> begin state[p] := T; end;
  rule "enter" state[p] = T ==> begin state[p] := C; end;
  rule "leave" state[p] = C ==> begin state[p] := Not; end;
end;

ctl "If some process tries, some process gets in"
  AG ((exists p: Process do state[p] = T end) -> AF exists q: Process do state[q] = C end);
ctl "All can be in" EF forall p: Process do state[p] = C end;
