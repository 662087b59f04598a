-- The token goes round a ring of five that the start state chooses: all of it is one orbit, with a step back to itself, which
-- is no loop of the model. A counterexample must go round until the real run closes.
--
-- noether: verdict=violated kind=ctl property="it comes to rest" trace_length=11 states=446 canonical=7
-- noether: rumur=no
type Process: scalarset(5);
var next: array [Process] of Process; owner: Process; order: array [Process] of 0..4;
startstate begin
  undefine owner;
  for p: Process do next[p] := p; order[p] := 0; end;
end;
ruleset p: Process do
  rule "first" isundefined(owner) ==> begin owner := p; end;
end;
ruleset p: Process do
  rule "join" !isundefined(owner) & next[p] = p & p != owner & order[p] = 0 ==> begin
    next[p] := next[owner]; next[owner] := p; order[p] := 1;
  end;
  rule "pass" !isundefined(owner) & (forall q: Process do q = owner | order[q] = 1 end) & owner = p ==> begin
    order[p] := 1; owner := next[p];
  end;
end;
ctl "it comes to rest" AF deadlock;
ctl "the token goes round" AG ((forall q: Process do order[q] = 1 end) -> forall p: Process do
  owner = p -> AX AX AX AX AX owner = p end);
