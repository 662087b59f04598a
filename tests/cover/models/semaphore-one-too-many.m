-- violated 3
-- Three permits: three threads can be inside. The last one finds it out itself.
const N: 2;
type
  Thread: scalarset(N);
  Place: enum { Out, In };
var
  permits: 0..3;
  pc: array [Thread] of Place;
startstate begin
  permits := 3;
  for t: Thread do pc[t] := Out; end;
end;
ruleset t: Thread do
  rule "enter" pc[t] = Out & permits > 0 ==> permits := permits - 1; pc[t] := In; assert "a permit is left" permits > 0; end;
  rule "leave" pc[t] = In ==> permits := permits + 1; pc[t] := Out; end;
end;
