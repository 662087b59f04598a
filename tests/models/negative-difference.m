-- A difference below zero in a guard, between variables that are never negative. rumur 2022.08 computes it unsigned and reports
-- an overflow that is none. By hand: x and y run over 0..2 each, "less" is enabled where x < y.
--
-- noether: verdict=holds states=12 canonical=12 rules=30 canonical_rules=30
-- noether: rumur=wrong
var x, y: 0..2; less: boolean;
startstate begin x := 0; y := 0; less := false; end;
rule "x" begin x := (x + 1) % 3; less := false; end;
rule "y" begin y := (y + 1) % 3; less := false; end;
rule "less" x - y < 0 ==> begin less := true; end;
invariant "less" less -> x < y;
