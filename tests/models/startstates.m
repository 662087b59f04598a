-- Several start states; two that are the same state.
--
-- noether: verdict=holds states=5 canonical=5 rules=5 canonical_rules=5
-- noether: rumur=yes
var x: 0..9;
startstate "three" begin x := 3; end;
startstate "five" begin x := 5; end;
startstate "five again" begin x := 2; x := x + 3; end;
rule "step" begin x := (x + 4) % 10; end;
invariant "odd" x % 2 = 1;
