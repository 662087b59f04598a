-- Use of an undefined value in a guard.
--
-- noether: verdict=violated kind=runtime trace_length=3
-- noether: rumur=yes
var x: boolean; y: 0..2;
startstate begin y := 0; x := true; end;
rule "lose" y = 1 ==> begin undefine x; end;
rule "y" begin y := y = 2 ? 0 : y + 1; end;
rule "use" x ==> begin y := 0; end;
