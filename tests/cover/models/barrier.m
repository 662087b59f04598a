-- holds
-- Any thread that has arrived opens the barrier for all that have, by a broadcast; the others wait for the next phase.
const N: 3;
type
  Thread: scalarset(N);
  Place: enum { Work, Arrived, Passed };
var
  open: boolean;
  pc: array [Thread] of Place;
startstate begin
  open := false;
  for t: Thread do pc[t] := Work; end;
end;
ruleset t: Thread do
  rule "arrive" pc[t] = Work & !open ==> pc[t] := Arrived; end;
  rule "open" pc[t] = Arrived & !open ==>
    open := true;
    for u: Thread do if pc[u] = Arrived then pc[u] := Passed; end; end;
  end;
  rule "close" pc[t] = Passed & open ==>
    open := false;
    for u: Thread do if pc[u] = Passed then pc[u] := Work; end; end;
  end;
end;
invariant "none waits while it is open" forall t: Thread do open -> pc[t] != Arrived end;
