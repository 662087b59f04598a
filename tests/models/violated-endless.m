-- A while that never ends.
--
-- noether: verdict=violated kind=runtime trace_length=3
-- noether: rumur=no
var n: 0..3;
startstate begin n := 0; end;
rule "step" n < 3 ==> begin n := n + 1; end;
rule "loop" n = 2 ==> begin while n = 2 do n := 2; end; end;
