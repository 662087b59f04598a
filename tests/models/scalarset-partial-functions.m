-- Pointers that may be undefined: 5^4 = 625 partial functions, 45 up to renaming (OEIS A126285).
--
-- noether: verdict=holds states=625 canonical=45 rules=12500 canonical_rules=900
-- noether: rumur=yes
const N: 4;
type Node: scalarset(N);
var next: array [Node] of Node;
startstate begin undefine next; end;
ruleset a: Node; b: Node do rule "point" begin next[a] := b; end; end;
ruleset a: Node do rule "forget" begin undefine next[a]; end; end;
