-- A cover statement that is never true.
--
-- noether: verdict=violated kind=cover property="four" states=4 canonical=4 rules=4 canonical_rules=4
-- noether: rumur=yes
var x: 0..4;
startstate begin x := 0; end;
rule "step" begin x := (x + 1) % 4; cover x = 4 "four"; end;
