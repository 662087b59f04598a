-- A value outside its range.
--
-- noether: verdict=violated kind=runtime trace_length=3
-- noether: rumur=yes
var n: 0..5;
startstate begin n := 0; end;
rule "step" begin n := n + 2; end;
