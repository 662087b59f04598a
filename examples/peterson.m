-- Peterson's mutual exclusion for N processes (the filter lock).
--
-- Gary Peterson, Myths about the mutual exclusion problem, 1981. A process climbs N-1 levels; at each it
-- announces the level (level), steps aside for others (last), and waits until nobody else is as high or
-- somebody else came later. At every level one process at least stays behind, so one alone reaches the top.
--
--   noether check examples/peterson.m               5 processes
--   noether check examples/peterson.m -D N=7
--
-- The counts are of the formulation everyone measures, in which a process that leaves rests at level 1. Mutual
-- exclusion does not depend on it, but a resting process then holds back a lone newcomer. REST=0 is the textbook's lock
-- (1,164 states and 223 canonical ones for 3 processes).
--
-- What to expect: mutual exclusion holds. Canonical states: 172, 1,132, 6,770, 35,159, 163,298 for 3 to
-- 7 processes; without symmetry 882, 22,281, 628,868 for 3 to 5. `last` points from
-- levels to processes: values of the scalarset type outside of arrays, which a canonicaliser must rename too.
--
-- noether: verdict=holds states=628868 canonical=6770 rules=3144340 canonical_rules=33850
-- noether: with N=3 verdict=holds states=882 canonical=172 rules=2646 canonical_rules=516
-- noether: with N=4 verdict=holds states=22281 canonical=1132
-- noether: with N=3 REST=0 verdict=holds states=1164 canonical=223 rules=3492 canonical_rules=669
-- noether: rumur=yes

const
  N: 5;
  REST: 1;

type
  Process: scalarset(N);
  Level: 0..N;
  Place: enum { Idle, Announce, StepAside, Wait, Critical };

var
  place: array [Process] of Place;
  target: array [Process] of Level;  -- the level a process is climbing to
  level: array [Process] of Level;   -- as announced to the others
  last: array [Level] of Process;    -- who came last to a level; undefined: nobody yet

startstate "All idle"
begin
  for p: Process do
    place[p] := Idle;
    target[p] := 0;
    level[p] := 0;
  end;
end;

ruleset p: Process do
  rule "Want to enter"
    place[p] = Idle
  ==>
  begin
    target[p] := 1;
    place[p] := Announce;
  end;

  rule "Announce the level"
    place[p] = Announce
  ==>
  begin
    level[p] := target[p];
    place[p] := StepAside;
  end;

  rule "Step aside"
    place[p] = StepAside
  ==>
  begin
    last[target[p]] := p;
    place[p] := Wait;
  end;

  rule "Wait, then climb"
    place[p] = Wait
  ==>
  begin
    if last[target[p]] != p | forall q: Process do q != p -> level[q] < target[p] end then
      target[p] := target[p] + 1;
      place[p] := target[p] < N ? Announce : Critical;
    end;
  end;

  rule "Leave"
    place[p] = Critical
  ==>
  begin
    level[p] := REST;
    place[p] := Idle;
  end;
end;

invariant "Mutual exclusion"
  forall p: Process do
    forall q: Process do
      place[p] = Critical & place[q] = Critical -> p = q
    end
  end;
