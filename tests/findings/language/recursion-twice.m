type P: scalarset(3); D: 0..10;
var x: array[P] of boolean; r: 0..5000; n: D;
function count(d: D): 0..5000; var c: 0..5000; begin if d = 0 then return 1; end; c := count(d - 1); return c + count(d - 1); end;
startstate begin for p: P do x[p] := false; end; r := 0; n := 0; end;
ruleset p: P do rule "t" !x[p] ==> begin x[p] := true; end; end;
rule "n" n < 10 ==> begin n := n + 1; r := count(n); end;
