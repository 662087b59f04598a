-- The shortest way to a violation is eight steps, though there are longer ones.
--
-- noether: verdict=violated kind=invariant property="below the diagonal" trace_length=8
-- noether: rumur=yes
var x: 0..40; y: 0..40;
startstate begin x := 0; y := 0; end;
rule "x" x < 40 ==> begin x := x + 1; end;
rule "y" y < 40 ==> begin y := y + 1; end;
rule "x5" x < 36 & x > 2 ==> begin x := x + 5; end;
invariant "below the diagonal" !(x >= 10 & y >= 3);
