-- Enumerations: equality, loops over all labels, as index, shared between variables.
--
-- noether: verdict=holds states=23 canonical=23 rules=36 canonical_rules=36
-- noether: rumur=yes
type
  Colour: enum { Red, Green, Blue };
  Light: record lamp: Colour; broken: boolean; end;
var
  a, b: Light;
  used: array [Colour] of boolean;
function Next(c: Colour): Colour;
begin
  switch c
    case Red: return Green;
    case Green: return Blue;
    else return Red;
  end;
end;
startstate begin
  a.lamp := Red; a.broken := false; b := a;
  for c: Colour do used[c] := false; end;
end;
rule "a" !a.broken ==> begin a.lamp := Next(a.lamp); used[a.lamp] := true; end;
rule "b" a.lamp = Blue & !b.broken ==> begin b.lamp := Next(b.lamp); end;
rule "break" a.lamp = b.lamp ==> begin a.broken := !a.broken; end;
