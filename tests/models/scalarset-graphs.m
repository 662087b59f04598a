-- Undirected graphs on 5 points: 2^10 = 1024, 34 up to isomorphism (OEIS A000088). Sorting alone cannot canonise these.
--
-- noether: verdict=holds states=1024 canonical=34 rules=20480 canonical_rules=680
-- noether: with N=7 verdict=holds canonical=1044
-- noether: rumur=yes
const N: 5;
type Node: scalarset(N);
var edge: array [Node] of array [Node] of boolean;
startstate begin for a: Node do for b: Node do edge[a][b] := false; end; end; end;
ruleset a: Node; b: Node do
  rule "flip" a != b ==> begin edge[a][b] := !edge[a][b]; edge[b][a] := edge[a][b]; end;
end;
invariant "undirected" forall a: Node do forall b: Node do edge[a][b] = edge[b][a] end end;
