-- The signs of mathematics for arithmetic, of newer rumurs only. Hand-made: x runs 2, 1 (6 / 2 - 2), 4 (6 / 1 - 2), back to 2 (2 * 1).
--
-- noether: verdict=holds states=3 canonical=3 rules=3 canonical_rules=3
-- noether: rumur=no
var x: 0..9;
startstate begin x := 2; end;
rule "first" x < 4 ==> begin x := 6 ÷ x − 2; end;
rule "second" x = 4 ==> begin x := 2 × 1; end;
