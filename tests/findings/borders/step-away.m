-- The step leads away from the last value where n is 0.
var n: 0..3; x: 0..9;
startstate n := 3; x := 0; end;
rule "r" n > 0 ==> n := n - 1; for i := 1 to n by 1 do x := (x + i) % 10; end; end;
