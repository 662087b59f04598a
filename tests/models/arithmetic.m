-- Unary minus and plus, precedence of * over +, associativity of -, comparison chains by &.
--
-- noether: verdict=holds states=11 canonical=11 rules=44 canonical_rules=44
-- noether: rumur=yes
var x: -20..20; y: -20..20;
startstate begin x := 1; y := 0; end;
rule "a" begin y := -x + 2 * x - 1; x := 2 - 1 - 1; end;
rule "b" begin y := 10 - 4 - 3; x := +3; end;
rule "c" begin y := -(x - 5) * 2; if x < 3 then x := x + 1; end; end;
rule "d" begin y := 17 % 5 * 2; x := 1; end;
invariant "bounds" -20 <= y & y <= 20 & y != 9;
