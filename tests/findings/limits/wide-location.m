type P: scalarset(3); T: -2147483647..3;
var x: array [P] of T; n: 0..3;
startstate begin for p: P do x[p] := 0; end; end;
ruleset p: P do rule "a" x[p] = 0 ==> begin x[p] := -2147483647; end; 
rule "b" x[p] < 0 ==> begin x[p] := 0; end; end;
invariant forall p: P do x[p] >= -2147483647 end;
