-- Two processes with local states N, T, C (Wahl, Donaldson 2010, Figures 2 and 3): a Kripke structure of nine states, and its quotient of
-- six, one for each orbit. Both satisfy the same formulas of CTL over propositions that name no process (Theorem 5), such as the
-- one the paper gives: AG ((exists i T_i) -> AF exists j C_j). There is no mutual exclusion here: C1 C2 is a state.
--
-- Each process goes round N, T, C by itself.
--
-- noether: verdict=holds states=9 canonical=6 rules=18 canonical_rules=12
-- noether: rumur=no
type
  Process: scalarset(2);
  Location: enum {C, N, T};
var state: array [Process] of Location;

startstate begin for p: Process do state[p] := N; end; end;

ruleset p: Process do
  rule "try" state[p] = N ==> begin state[p] := T; end;
  rule "enter" state[p] = T ==> begin state[p] := C; end;
  rule "leave" state[p] = C ==> begin state[p] := N; end;
end;

ctl "If some process tries, some process gets in"
  AG ((exists p: Process do state[p] = T end) -> AF exists q: Process do state[q] = C end);
ctl "Both can be in" EF forall p: Process do state[p] = C end;
