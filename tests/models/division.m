-- / and % truncate towards zero, with every combination of signs.
--
-- noether: verdict=holds states=90 canonical=90 rules=90 canonical_rules=90
-- noether: rumur=yes
var a: -7..7; b: -3..3; q: -7..7; r: -3..3;
startstate begin a := -7; b := -3; q := 2; r := -1; end;
rule "next" begin
  b := b = 3 ? -3 : (b = -1 ? 1 : b + 1);
  if b = -3 then a := a = 7 ? -7 : a + 1; end;
  q := a / b; r := a % b;
end;
invariant "law" q * b + r = a;
invariant "sign" r = 0 | (r < 0) = (a < 0);
