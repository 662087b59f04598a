-- A value outside the range of a parameter.
--
-- noether: verdict=violated kind=runtime trace_length=4
-- noether: rumur=yes
var n: 0..5;
function Half(k: 0..3): 0..3; begin return k / 2; end;
startstate begin n := 1; end;
rule "step" n < 5 ==> begin n := n + 1; end;
rule "half" begin n := Half(n); end;
