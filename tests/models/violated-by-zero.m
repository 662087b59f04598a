-- A for whose step is zero.
--
-- noether: verdict=violated kind=runtime trace_length=2
-- noether: rumur=yes
var n: 0..3; s: 0..1;
startstate begin n := 0; s := 1; end;
rule "loop" begin for i := 0 to 3 by s do n := i; end; end;
rule "s" begin s := 0; end;
