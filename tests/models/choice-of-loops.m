-- A ruleset over bounds with a step, which the grammars of both peers have and both fail to compile. By hand: +1 alone reaches all.
--
-- noether: verdict=holds states=10 canonical=10 rules=30 canonical_rules=30
-- noether: rumur=no
var n: 0..9;
startstate begin n := 0; end;
ruleset i := 1 to 7 by 3 do
  rule "jump" begin n := (n + i) % 10; end;
end;
invariant "some" exists k := 0 to 9 do n = k end;
