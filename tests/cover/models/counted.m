-- refused
-- The number of threads stands in the program text, too: another number is another program.
const N: 2;
type
  Thread: scalarset(N);
var
  inside: 0..N;
  in: array [Thread] of boolean;
startstate begin
  inside := 0;
  for t: Thread do in[t] := false; end;
end;
ruleset t: Thread do
  rule "enter" !in[t] ==> in[t] := true; inside := inside + 1; end;
end;
invariant "true" true;
