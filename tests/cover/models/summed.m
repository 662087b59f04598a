-- refused 15
-- A loop over the threads writes a shared variable: not a broadcast.
const N: 2;
type
  Thread: scalarset(N);
var
  any: boolean;
  in: array [Thread] of boolean;
startstate begin
  any := false;
  for t: Thread do in[t] := false; end;
end;
ruleset t: Thread do
  rule "enter" !in[t] ==> in[t] := true;
    for u: Thread do if in[u] then any := true; end; end;
  end;
end;
invariant "true" true;
