-- Bitwise operators and shifts on numbers (rumur).
--
-- noether: verdict=holds states=32 canonical=32 rules=96 canonical_rules=96
-- noether: rumur=yes
var x: 0..15; y: 0..31;
startstate begin x := 0; y := 0; end;
rule "shift" begin x := (x << 1) & 15; y := x >> 1; end;
rule "or" begin x := x | 1; y := x ^ 5; end;
rule "not" begin y := ~x & 31; end;
invariant "low" (x & 15) = x;
