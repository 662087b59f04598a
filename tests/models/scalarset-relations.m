-- An array over two copies of one scalarset: 2^9 = 512 relations on 3 points, 104 up to renaming (OEIS A000595).
--
-- noether: verdict=holds states=512 canonical=104 rules=4608 canonical_rules=936
-- noether: with N=4 verdict=holds states=65536 canonical=3044
-- noether: rumur=yes
const N: 3;
type Node: scalarset(N);
var edge: array [Node] of array [Node] of boolean;
startstate begin for a: Node do for b: Node do edge[a][b] := false; end; end; end;
ruleset a: Node; b: Node do rule "flip" begin edge[a][b] := !edge[a][b]; end; end;
