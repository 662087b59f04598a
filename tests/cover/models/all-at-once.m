-- unknown
-- That some thread is always outside is shown by no number of threads.
const N: 2;
type
  Thread: scalarset(N);
var
  in: array [Thread] of boolean;
startstate begin for t: Thread do in[t] := false; end; end;
ruleset t: Thread do
  rule "toggle" in[t] := !in[t]; end;
end;
invariant "one is outside" exists t: Thread do !in[t] end;
