-- cover as a statement inside a rule (rumur).
--
-- noether: verdict=holds states=5 canonical=5 rules=5 canonical_rules=5
-- noether: rumur=yes
var x: 0..4;
startstate begin x := 0; end;
rule "step" begin x := (x + 1) % 5; cover x = 3 "three"; end;
