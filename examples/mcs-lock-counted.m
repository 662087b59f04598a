-- The MCS queueing lock, abstracted so that local states can be counted (Emerson and Wahl, CHARME 2003, section 6).
--
-- Who waits behind whom is forgotten: a process knows whether it has a successor, not which. A process that links itself
-- does so behind any process that may be the right one, and the lock is handed to any process that waits for it. That
-- allows more than the real lock does (mcs-lock.m), and mutual exclusion holds all the same. There are 28 local
-- states, whatever the number of processes:
--
--   noether check examples/mcs-lock-counted.m -D N=12 --engine counter
--   noether check examples/mcs-lock-counted.m -D N=60 --engine symbolic --method generic
--   noether reduce examples/mcs-lock-counted.m -o counted.m
--
-- What to expect: one process in the critical section at most; never do all processes wait at once.
--
-- noether: verdict=holds states=1964 canonical=340 rules=4968 canonical_rules=865
-- noether: rumur=yes

const
  N: 3;

type
  Process: scalarset(N);
  Label: enum { L0, L1, L2, L3, L4, L5, L6, L7, L8, L9 };

var
  at: array [Process] of Label;
  next: array [Process] of boolean;    -- has a successor
  locked: array [Process] of boolean;
  pred: array [Process] of boolean;    -- had a predecessor
  tail: Process;                       -- undefined: the lock is free

startstate "Everybody away"
begin
  for p: Process do
    at[p] := L0;
    next[p] := false;
    locked[p] := false;
    pred[p] := false;
  end;
end;

ruleset p: Process do
  rule "prepare" at[p] = L0 ==> begin at[p] := L1; end;

  rule "swap into the tail" at[p] = L1 ==>
  begin
    pred[p] := !isundefined(tail);
    tail := p;
    at[p] := L2;
  end;

  rule "first in the queue?" at[p] = L2 ==> begin at[p] := pred[p] ? L3 : L6; end;

  rule "lock" at[p] = L3 ==>
  begin
    locked[p] := true;
    at[p] := L4;
  end;

  ruleset q: Process do
    rule "link" at[p] = L4 & at[q] != L0 & at[q] != L1 & at[q] != L9 & !next[q] & (isundefined(tail) | tail != q) ==>
    begin
      next[q] := true;
      at[p] := L5;
    end;
  end;

  rule "stop spinning" at[p] = L5 & !locked[p] ==> begin at[p] := L6; end;

  rule "leave" at[p] = L6 ==> begin at[p] := next[p] ? L9 : L7; end;

  rule "empty the queue" at[p] = L7 ==>
  begin
    if tail = p then
      undefine tail;
      at[p] := L0;
      next[p] := false;
      locked[p] := false;
      pred[p] := false;
    else
      at[p] := L8;
    end;
  end;

  rule "successor is there" at[p] = L8 & next[p] ==> begin at[p] := L9; end;

  ruleset q: Process do
    rule "hand over" at[p] = L9 & at[q] = L5 & locked[q] ==>
    begin
      locked[q] := false;
      at[p] := L0;
      next[p] := false;
      locked[p] := false;
      pred[p] := false;
    end;
  end;
end;

invariant "Mutual exclusion"
  forall p: Process do forall q: Process do at[p] = L6 & at[q] = L6 -> p = q end end;

invariant "Not everybody spins"
  !forall p: Process do (at[p] = L5 & locked[p]) | (at[p] = L8 & !next[p]) end;
