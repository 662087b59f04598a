-- A queue lock (after Mellor-Crummey and Scott): a process that wants the lock puts itself at the tail, tells its predecessor,
-- and waits until that one hands the lock over. All processes are interchangeable.
--
-- "served" holds under weak fairness of processes; without, one process may do something else for ever
-- while the others do not move.
-- queue-lock.pml is the same system for SPIN.

const N: 3;

type
  Proc: scalarset(N);
  Place: enum { Away, Link, Spin, Crit, Leave };

var
  at: array [Proc] of Place;
  pred, next: array [Proc] of Proc;   -- defined while known
  handed: array [Proc] of boolean;
  busy: array [Proc] of boolean;      -- with something else
  tail: Proc;                         -- undefined: the lock is free

startstate begin
  for p: Proc do
    at[p] := Away;
    undefine pred[p];
    undefine next[p];
    handed[p] := false;
    busy[p] := false;
  end;
  undefine tail;
end;

ruleset p: Proc do
  rule "do something else" at[p] = Away ==> begin busy[p] := !busy[p] end;

  rule "swap" at[p] = Away ==>
  begin
    busy[p] := false;
    pred[p] := tail;
    at[p] := isundefined(tail) ? Crit : Link;
    tail := p;
  end;

  rule "link" at[p] = Link ==>
  begin
    next[pred[p]] := p;
    undefine pred[p];
    at[p] := Spin;
  end;

  rule "enter" at[p] = Spin & handed[p] ==>
  begin
    handed[p] := false;
    at[p] := Crit;
  end;

  rule "leave" at[p] = Crit ==> begin at[p] := Leave end;

  rule "hand over" at[p] = Leave & !isundefined(next[p]) ==>
  begin
    handed[next[p]] := true;
    undefine next[p];
    at[p] := Away;
  end;

  rule "free" at[p] = Leave & isundefined(next[p]) & tail = p ==>
  begin
    undefine tail;
    at[p] := Away;
  end;
end;

ltl "served" forall p: Proc do at[p] = Link leadsto at[p] = Crit end;
