-- Division by zero.
--
-- noether: verdict=violated kind=runtime trace_length=4
-- noether: rumur=yes
var a: 0..3; b: 0..3;
startstate begin a := 3; b := 3; end;
rule "down" b > 0 ==> begin b := b - 1; a := 3; end;
rule "divide" begin a := 3 / b; end;
