-- Use of an undefined value in a rule: an error of the model, with the trace that leads there.
--
-- noether: verdict=violated kind=runtime trace_length=3
-- noether: rumur=yes
var x, y: 0..3;
startstate begin y := 0; end;
rule "set" y < 2 ==> begin y := y + 1; end;
rule "use" y = 2 ==> begin y := x + 1; end;
