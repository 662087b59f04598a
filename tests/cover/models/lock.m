-- holds
-- A lock around a critical section.
const N: 2;
type
  Thread: scalarset(N);
  Place: enum { Out, In };
var
  lock: boolean;
  pc: array [Thread] of Place;
startstate begin
  lock := false;
  for t: Thread do pc[t] := Out; end;
end;
ruleset t: Thread do
  rule "enter" pc[t] = Out & !lock ==> lock := true; pc[t] := In; end;
  rule "leave" pc[t] = In ==> lock := false; pc[t] := Out; end;
end;
invariant "mutual exclusion" forall t: Thread do forall u: Thread do t != u -> pc[t] = Out | pc[u] = Out end end;
