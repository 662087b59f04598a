-- An array index out of range.
--
-- noether: verdict=violated kind=runtime trace_length=4
-- noether: rumur=yes
var a: array [1..3] of boolean; i: 0..4;
startstate begin for k: 1..3 do a[k] := false; end; i := 1; end;
rule "up" i < 4 ==> begin i := i + 1; end;
rule "use" begin a[i] := !a[i]; end;
