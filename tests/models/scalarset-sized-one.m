-- A scalarset with a single element is no symmetry, but works.
--
-- noether: verdict=holds states=4 canonical=2 rules=12 canonical_rules=6
-- noether: rumur=yes
type One: scalarset(1); Two: scalarset(2);
var a: array [One] of Two; b: Two;
ruleset t: Two do startstate begin for o: One do a[o] := t; end; b := t; end; end;
ruleset o: One; t: Two do rule "set" a[o] != t ==> begin a[o] := t; end; end;
ruleset t: Two do rule "b" begin b := t; end; end;
