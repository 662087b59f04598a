-- A goal that no reachable state meets is violated.
--
-- noether: verdict=violated kind=cover property="odd" states=5 canonical=5 rules=5 canonical_rules=5
-- noether: rumur=yes
var x: 0..9;
startstate begin x := 0; end;
rule "step" begin x := (x + 2) % 10; end;
cover "even" x = 4;
cover "odd" x = 5;
