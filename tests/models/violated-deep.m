-- A counterexample of a thousand steps.
--
-- noether: verdict=violated kind=invariant property="bounded" trace_length=1000
-- noether: rumur=yes
var n: 0..1000;
startstate begin n := 0; end;
rule "step" begin n := n + 1; end;
invariant "bounded" n < 1000;
