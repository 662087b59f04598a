-- liveness as rumur defines it: from every reachable state a state with the property can be reached.
--
-- noether: verdict=holds states=10 canonical=10 rules=20 canonical_rules=20
-- noether: rumur=yes
var x: 0..9;
startstate begin x := 0; end;
rule "one" begin x := (x + 1) % 10; end;
rule "two" begin x := (x + 2) % 10; end;
liveness "zero again" x = 0;
liveness "seven" x = 7;
