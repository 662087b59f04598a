-- Use of an undefined value in an invariant.
--
-- noether: verdict=violated kind=invariant property="x" trace_length=2
-- noether: rumur=yes
var x: boolean; n: 0..3;
startstate begin x := true; n := 0; end;
rule "step" begin n := (n + 1) % 4; if n = 2 then undefine x; end; end;
invariant "x" x | n > 3;
