-- Interchangeable processes share K units of a resource, one for each at a time. A process does some work before it asks
-- and some with the unit.
--
-- "served" holds under strong fairness of processes only: under weak fairness the others may take every unit that comes
-- back. allocator.pml is the same system for SPIN, which has weak fairness.

const
  N: 4;
  K: 2;

type
  Proc: scalarset(N);
  Place: enum { Work, Rest, Want, Use };

var
  at: array [Proc] of Place;
  left: 0..K;

startstate begin
  for p: Proc do at[p] := Work end;
  left := K;
end;

ruleset p: Proc do
  rule "rest" at[p] = Work ==> begin at[p] := Rest end;
  rule "ask" at[p] = Rest ==> begin at[p] := Want end;
  rule "take" at[p] = Want & left > 0 ==> begin at[p] := Use; left := left - 1 end;
  rule "give" at[p] = Use ==> begin at[p] := Work; left := left + 1 end;
end;

ltl "served" forall p: Proc do at[p] = Want leadsto at[p] = Use end;
