-- A union of two enumerations, switched on, passed to a function, used as index.
--
-- noether: verdict=holds states=160 canonical=160 rules=544 canonical_rules=544
-- noether: rumur=no
type
  Hot: enum { Red, Orange };
  Cold: enum { Blue, Green, Violet };
  Colour: union { Hot, Cold };
var c: Colour; n: array [Colour] of 0..1;
function IsHot(x: Colour): boolean; begin return ismember(x, Hot); end;
startstate begin c := Red; for x: Colour do n[x] := 0; end; end;
ruleset x: Colour do
  rule "change" IsHot(c) != IsHot(x) ==> begin c := x; n[x] := 1 - n[x]; end;
end;
rule "switch" begin
  switch c case Red: c := Orange; case Blue, Green: c := Violet; else c := Red; end;
end;
