-- An assert that fails in the start state.
--
-- noether: verdict=violated kind=assertion property="at the start" trace_length=0
-- noether: rumur=yes
var n: 0..9;
startstate begin n := 3; assert n = 2 "at the start"; end;
rule "step" begin n := (n + 1) % 10; end;
