-- put prints and changes nothing.
--
-- noether: verdict=holds states=2 canonical=2 rules=2 canonical_rules=2
-- noether: rumur=yes
var x: boolean;
startstate begin x := false; put "start"; end;
rule "flip" begin put "x is "; put x; put "\n"; x := !x; end;
