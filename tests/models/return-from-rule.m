-- return ends a rule early; what was done before stays done.
--
-- noether: verdict=holds states=4 canonical=4 rules=4 canonical_rules=4
-- noether: rumur=yes
var x: 0..3; y: 0..3;
startstate begin x := 0; y := 0; end;
rule "step" begin
  x := (x + 1) % 4;
  if x = 2 then return; end;
  y := x;
end;
invariant "skipped" y != 2;
