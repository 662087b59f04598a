-- The MCS queue lock (Mellor-Crummey and Scott, 1991).
--
-- Each process spins on a flag of its own. It enters the queue by swapping itself into `tail`, then links
-- itself behind its predecessor; whoever leaves hands the lock to its successor, and when there is none yet, tries to
-- empty the queue with compare-and-swap.
--
--   noether check examples/mcs-lock.m
--   noether check examples/mcs-lock.m -D N=5
--
-- What to expect: both properties hold. Processes point at processes (tail, next, pred), the
-- kind of state that is hard to canonise by sorting alone.
--
-- noether: verdict=holds states=2032 canonical=105 rules=5776 canonical_rules=317
-- noether: rumur=yes

const
  N: 4;

type
  Process: scalarset(N);
  Place: enum { Away, Swap, Link, Spin, Critical, Release, Handover };

var
  place: array [Process] of Place;
  tail: Process;                      -- undefined: the lock is free
  next: array [Process] of Process;   -- undefined: no successor yet
  pred: array [Process] of Process;   -- between Swap and Link
  locked: array [Process] of boolean;

startstate "Lock free, nobody there"
begin
  for p: Process do
    place[p] := Away;
    locked[p] := false;
  end;
end;

ruleset p: Process do
  rule "Prepare the queue node" place[p] = Away ==>
  begin
    undefine next[p];
    locked[p] := true;
    place[p] := Swap;
  end;

  rule "Swap into the tail" place[p] = Swap ==>
  begin
    if isundefined(tail) then
      locked[p] := false;
      place[p] := Critical;
    else
      pred[p] := tail;
      place[p] := Link;
    end;
    tail := p;
  end;

  rule "Link behind the predecessor" place[p] = Link ==>
  begin
    next[pred[p]] := p;
    undefine pred[p];
    place[p] := Spin;
  end;

  rule "Stop spinning" place[p] = Spin & !locked[p] ==>
  begin
    place[p] := Critical;
  end;

  rule "Leave the critical section" place[p] = Critical ==>
  begin
    place[p] := isundefined(next[p]) ? Release : Handover;
  end;

  rule "Try to empty the queue" place[p] = Release ==>
  begin
    if tail = p then
      undefine tail;
      place[p] := Away;
    else
      place[p] := Handover;
    end;
  end;

  rule "Hand over" place[p] = Handover & !isundefined(next[p]) ==>
  begin
    locked[next[p]] := false;
    undefine next[p];
    place[p] := Away;
  end;
end;

invariant "Mutual exclusion"
  forall p: Process do
    forall q: Process do
      place[p] = Critical & place[q] = Critical -> p = q
    end
  end;

invariant "A free lock has no users"
  isundefined(tail) -> forall p: Process do place[p] = Away | place[p] = Swap end;
