-- violated 2
-- The lock is tested in one step and taken in the next.
const N: 1;
type
  Thread: scalarset(N);
  Place: enum { Out, Tested, In };
var
  lock: boolean;
  pc: array [Thread] of Place;
startstate begin
  lock := false;
  for t: Thread do pc[t] := Out; end;
end;
ruleset t: Thread do
  rule "test" pc[t] = Out & !lock ==> pc[t] := Tested; end;
  rule "enter" pc[t] = Tested ==> lock := true; pc[t] := In; end;
  rule "leave" pc[t] = In ==> lock := false; pc[t] := Out; end;
end;
invariant "mutual exclusion" forall t: Thread do forall u: Thread do t != u -> !(pc[t] = In & pc[u] = In) end end;
