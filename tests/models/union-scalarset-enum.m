-- A union of a scalarset and an enumeration: home and the processes; ismember tells them apart.
--
-- noether: verdict=holds states=336 canonical=78 rules=1636 canonical_rules=369
-- noether: rumur=no
const N: 3;
type
  Proc: scalarset(N);
  Home: enum { Memory };
  Node: union { Proc, Home };
var owner: Node; asked: array [Proc] of boolean; mark: array [Node] of boolean;
startstate begin
  owner := Memory;
  for p: Proc do asked[p] := false; end;
  for n: Node do mark[n] := false; end;
end;
ruleset p: Proc do
  rule "ask" !asked[p] ==> begin asked[p] := true; end;
  rule "get" asked[p] & owner = Memory ==> begin owner := p; mark[p] := true; asked[p] := false; end;
  rule "return" owner = p ==> begin owner := Memory; mark[Memory] := true; end;
end;
ruleset n: Node do
  rule "steal" ismember(owner, Proc) & ismember(n, Proc) & n != owner ==> begin owner := n; end;
end;
rule "forget" mark[Memory] ==> begin for n: Node do mark[n] := false; end; end;
invariant "member" ismember(owner, Home) = (owner = Memory);
