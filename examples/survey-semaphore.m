-- Mutual exclusion with a semaphore (Wahl, Donaldson: Replication and Abstraction: Symmetry in Automated Formal
-- Verification, 2010: Figures 1, left, and 7), and what can be said of it in CTL. The processes are interchangeable, so
-- "noether check" stores one state of each orbit:
--
--     noether check examples/survey-semaphore.m
--
-- Safety is an invariant, and the same as AG. That someone gets in whenever someone tries (communal progress) holds. That each process that
-- tries gets in does not: others may overtake it for ever. The formula names one process, and the state space is reduced by the permutations of the
-- others (section 2.2: a process is factored out). The counterexample goes round in a loop: add
--
--     ctl "Whoever tries gets in" AG forall p: Process do state[p] = T -> AF state[p] = C end;
--
-- noether: verdict=holds states=48 canonical=9 rules=144 canonical_rules=30
-- noether: with N=2 verdict=holds states=8 canonical=5 rules=14 canonical_rules=9
-- noether: rumur=no
const N: 4;
type
  Process: scalarset(N);
  Location: enum {N_, T, C}; -- not interested, trying, in the critical section
var
  state: array [Process] of Location;
  s: boolean; -- the semaphore is taken

startstate begin
  for p: Process do state[p] := N_; end;
  s := false;
end;

ruleset p: Process do
  rule "try" state[p] = N_ ==> begin state[p] := T; end;
  rule "enter" state[p] = T & !s ==> begin state[p] := C; s := true; end;
  rule "leave" state[p] = C ==> begin state[p] := N_; s := false; end;
end;

invariant "Mutual exclusion" forall p: Process do forall q: Process do
  state[p] = C & state[q] = C -> p = q end end;
ctl "Mutual exclusion, always" AG forall p: Process do forall q: Process do
  state[p] = C & state[q] = C -> p = q end end;
ctl "If some process tries, some process gets in"
  AG ((exists p: Process do state[p] = T end) -> AF exists q: Process do state[q] = C end);
ctl "Whoever tries can get in" AG forall p: Process do state[p] = T -> EF state[p] = C end;
ctl "Whoever tries may be overtaken" forall p: Process do EF (state[p] = T & EG state[p] = T) end;
ctl "Nobody gets in without trying" AG forall p: Process do state[p] = C -> EY state[p] = T | EY state[p] = C end;
ctl "It can always come to rest" AG EF forall p: Process do state[p] = N_ end;
ctl "Something can always move" AG !deadlock;
