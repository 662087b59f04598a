-- Functions from one scalarset to another: 4^4 = 256, 5 up to symmetry on both sides (partitions of 4).
--
-- noether: verdict=holds states=256 canonical=5 rules=4096 canonical_rules=80
-- noether: rumur=yes
type Item: scalarset(4); Colour: scalarset(4);
var colour: array [Item] of Colour;
ruleset c: Colour do
  startstate begin for i: Item do colour[i] := c; end; end;
end;
ruleset i: Item; c: Colour do rule "paint" begin colour[i] := c; end; end;
