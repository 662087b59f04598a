-- cover: a goal that some reachable state meets (rumur).
--
-- noether: verdict=holds states=10 canonical=10 rules=10 canonical_rules=10
-- noether: rumur=yes
var x: 0..9;
startstate begin x := 0; end;
rule "step" begin x := (x + 3) % 10; end;
cover "five" x = 5;
cover "zero" x = 0;
invariant x < 10;
