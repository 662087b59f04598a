-- An assert statement with a message, reached on the third step.
--
-- noether: verdict=violated kind=assertion property="n stays small" trace_length=3
-- noether: rumur=yes
var n: 0..9;
startstate begin n := 0; end;
rule "step" begin n := (n + 1) % 10; assert n < 3 "n stays small"; end;
rule "back" n > 0 ==> begin n := n - 1; end;
