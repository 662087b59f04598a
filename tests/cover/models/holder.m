-- refused 7
-- A shared variable holds a thread.
const N: 2;
type
  Thread: scalarset(N);
var
  holder: Thread;
  waits: array [Thread] of boolean;
startstate begin
  undefine holder;
  for t: Thread do waits[t] := false; end;
end;
ruleset t: Thread do
  rule "take" isundefined(holder) ==> holder := t; end;
end;
invariant "true" true;
