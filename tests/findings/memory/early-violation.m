-- an early violation, then more states than fit
var a: array[0..39] of 0..1000002; n: 0..3;
startstate begin for i: 0..39 do a[i] := i * 1000; end; n := 0; end;
rule "up" n < 3 ==> begin n := n + 1; end;
ruleset i: 0..39 do rule "inc" true ==> begin
  a[i] := (a[i] * 5 + i * 7 + 1) % 1000003; a[(i * 7 + 3) % 40] := (a[i] * 3 + a[(i + 1) % 40]) % 1000003; end; end;
invariant "small" n < 2;
