-- holds
-- Two permits: never three threads inside. The threads keep a record each, and are known by an alias.
const N: 4;
type
  Thread: scalarset(N);
  Place: enum { Out, In };
  State: record place: Place; turns: 0..1; end;
var
  permits: 0..2;
  threads: array [Thread] of State;
startstate begin
  permits := 2;
  for t: Thread do threads[t].place := Out; threads[t].turns := 0; end;
end;
ruleset t: Thread do alias me: threads[t] do
  rule "enter" me.place = Out & permits > 0 ==> permits := permits - 1; me.place := In; end;
  rule "leave" me.place = In ==> permits := permits + 1; me.place := Out; me.turns := 1 - me.turns; end;
end; end;
invariant "at most two" !exists t: Thread do exists u: Thread do exists v: Thread do t != u & t != v & u != v &
  threads[t].place = In & threads[u].place = In & threads[v].place = In end end end;
