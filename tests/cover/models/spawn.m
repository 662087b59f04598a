-- holds
-- The first thread starts workers without bound; only it may stop them, all at once.
const N: 3;
type
  Thread: scalarset(N);
  Place: enum { Unborn, Main, Worker, Dead };
var
  stopped: boolean;
  pc: array [Thread] of Place;
ruleset first: Thread do startstate begin
  stopped := false;
  for t: Thread do pc[t] := Unborn; end;
  pc[first] := Main;
end; end;
ruleset t: Thread; u: Thread do
  rule "start" pc[t] = Main & pc[u] = Unborn & !stopped ==> pc[u] := Worker; end;
end;
ruleset t: Thread do
  rule "stop" pc[t] = Main ==>
    stopped := true;
    for u: Thread do if pc[u] = Worker then pc[u] := Dead; end; end;
  end;
end;
invariant "one main thread" forall t: Thread do forall u: Thread do t != u -> !(pc[t] = Main & pc[u] = Main) end end;
invariant "no worker after the end" forall t: Thread do stopped -> pc[t] != Worker end;
