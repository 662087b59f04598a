-- The other spellings of operators: == && ||, and those of mathematics (rumur).
--
-- noether: verdict=holds states=13 canonical=13 rules=21 canonical_rules=21
-- noether: rumur=yes
var x: 0..3; y: 0..3;
startstate begin x := 0; y ≔ 0; end;
rule "x" x ≤ 2 ∧ y ≥ 0 ⇒ begin x := x + 1; end;
rule "y" x ≠ 0 ∧ ¬ (y == 3) ==> begin y := y + 1; end;
rule "reset" (x == 3 && y == 3) || x * y = 6 ∨ x + y = 5 ==> begin x := 0; y := 0; end;
invariant "all" ∀ i: 0..3 do x = i → x ≤ 3 end;
invariant "some" ∃ i: 0..3 do x = i end;
