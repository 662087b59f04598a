-- Mutual exclusion by a semaphore, with many local states: the first example of Emerson and Wahl, "On combining symmetry
-- reduction and symbolic representation for efficient model checking" (CHARME 2003), section 6, Table 2.
--
-- A process goes through the places 1, 2, ..., L; L - 1 is the trying region and L the critical section. The processes are
-- interchangeable, so it is enough to know how many are at which place:
--
--   noether check examples/semaphore-mutex.m -D N=10 --engine counter
--   noether check examples/semaphore-mutex.m -D N=256 -D L=128
--   noether reduce examples/semaphore-mutex.m -o counted.m
--
-- What to expect: one process in the critical section at most.
--
-- noether: verdict=holds states=189 canonical=25 rules=648 canonical_rules=90
-- noether: rumur=yes

const
  N: 4;
  L: 4;

type
  Process: scalarset(N);
  Place: 1..L;

var
  place: array [Process] of Place;
  taken: boolean;

startstate "Everybody at the first place"
begin
  for p: Process do place[p] := 1; end;
  taken := false;
end;

ruleset p: Process do
  rule "go on" place[p] <= L - 2 ==> begin place[p] := place[p] + 1; end;

  rule "enter" place[p] = L - 1 & !taken ==>
  begin
    place[p] := L;
    taken := true;
  end;

  rule "leave" place[p] = L ==>
  begin
    place[p] := 1;
    taken := false;
  end;
end;

invariant "Mutual exclusion"
  forall p: Process do forall q: Process do p != q -> !(place[p] = L & place[q] = L) end end;
