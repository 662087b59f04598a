-- Ranges below zero: as values, as array index, in loops; division and remainder round towards zero.
--
-- noether: verdict=holds states=36 canonical=36 rules=64 canonical_rules=64
-- noether: rumur=yes
type
  Small: -3..2;
var
  x: Small;
  count: array [Small] of 0..1;
  q: -2..2;
  r: -2..2;
startstate begin
  x := -3; q := 0; r := 0;
  for i: Small do count[i] := 0; end;
end;
rule "up" x < 2 ==> begin x := x + 1; count[x] := 1; q := x / 2; r := x % 3; end;
rule "down" x > -3 ==> begin x := x - 1; count[x] := 1; q := x / 2; r := x % 3; end;
invariant "truncates" x < 0 -> r <= 0 & (x / 2) * 2 >= x;
