-- The loop goes from 0 to -1.
var n: 0..1; x: 0..10;
startstate n := 0; x := 0; end;
rule "r" x = 0 ==> for i := 0 to n - 1 do x := x + 1; end; end;
invariant "none" x = 0;
