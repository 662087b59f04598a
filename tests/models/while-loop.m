-- while, nested and with a condition that is false at once; a greatest common divisor.
--
-- noether: verdict=holds states=288 canonical=288 rules=288 canonical_rules=288
-- noether: rumur=yes
var a, b, g: 0..12;
startstate begin a := 12; b := 8; g := 0; end;
rule "gcd" g = 0 ==> var x, y, t: 0..12; begin
  x := a; y := b;
  while y != 0 do t := x % y; x := y; y := t; end;
  while false do x := 0; end;
  g := x;
end;
rule "next" g != 0 ==> begin g := 0; if b > 1 then b := b - 1; else b := 12; a := a = 1 ? 12 : a - 1; end; end;
invariant "divides" g = 0 | (a % g = 0 & b % g = 0);
