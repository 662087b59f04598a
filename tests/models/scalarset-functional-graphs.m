-- Every element points to one: 5^5 = 3125 functions, 47 functional graphs on 5 unlabelled points (OEIS A001372).
--
-- noether: verdict=holds states=3125 canonical=47 rules=78125 canonical_rules=1175
-- noether: with N=7 verdict=holds canonical=343
-- noether: rumur=yes
const N: 5;
type Node: scalarset(N);
var next: array [Node] of Node;
startstate begin for n: Node do next[n] := n; end; end;
ruleset a: Node; b: Node do rule "point" begin next[a] := b; end; end;
