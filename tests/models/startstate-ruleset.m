-- A start state for each choice of parameters, over a range and a boolean.
--
-- noether: verdict=holds states=12 canonical=12 rules=12 canonical_rules=12
-- noether: rumur=yes
var x: 0..5; up: boolean;
ruleset i: 1..3; b: boolean do
  startstate "begin" begin x := i; up := b; end;
end;
startstate "extra" begin x := 0; up := false; end;
rule "move" begin
  if up & x < 5 then x := x + 1; elsif !up & x > 0 then x := x - 1; else up := !up; end;
end;
