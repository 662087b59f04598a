-- refused 14
-- A thread enters when no other is inside: with more threads it may not.
const N: 2;
type
  Thread: scalarset(N);
  Place: enum { Out, In };
var
  pc: array [Thread] of Place;
startstate begin
  for t: Thread do pc[t] := Out; end;
end;
ruleset t: Thread do
  rule "enter"
    forall u: Thread do pc[u] = Out end ==> pc[t] := In;
  end;
end;
invariant "mutual exclusion" forall t: Thread do forall u: Thread do t != u -> !(pc[t] = In & pc[u] = In) end end;
