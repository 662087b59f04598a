-- violated 2
-- A broadcast reads what a thread has set only if it was there before: a run-time error with two threads.
const N: 1;
type
  Thread: scalarset(N);
var
  ready: array [Thread] of boolean;
  mark: array [Thread] of boolean;
startstate begin for t: Thread do mark[t] := false; end; end;
ruleset t: Thread do
  rule "set" !mark[t] ==> ready[t] := true; mark[t] := true; end;
  rule "tell" mark[t] ==> for u: Thread do if ready[u] then mark[u] := true; end; end; end;
end;
