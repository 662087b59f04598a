-- A variable is undefined only after 10,000 states, once with its neighbour changed and once alone: the visited set must tell both apart.
type big: 0..1000000000;
var f: 0..6; g: 0..6; x: 0..99; y: 0..99; pad: array[0..3] of big;
startstate "s" begin f := 4; g := 0; x := 0; y := 0; for i: 0..3 do pad[i] := 123456; end; end;
rule "x" !isundefined(f) & x < 99 ==> begin x := x + 1; end;
rule "y" !isundefined(f) & y < 99 ==> begin y := y + 1; end;
rule "t" !isundefined(f) ==> begin f := 10 - f; end;
rule "A" !isundefined(f) & x = 99 & y = 99 ==> begin undefine f; g := 1; end;
rule "B" !isundefined(f) & x = 99 & y = 99 ==> begin undefine f; end;
rule "d" isundefined(f) & (x > 0 | y > 0) ==> begin if x > 0 then x := x - 1; else x := 99; y := y - 1; end; end;
invariant "reached0" !(isundefined(f) & x = 0 & y = 0 & g = 0);
invariant "reached1" !(isundefined(f) & x = 0 & y = 0 & g = 1);
