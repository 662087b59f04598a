-- Calls that never end, in the second step of a process.
const N: 3;
type P: scalarset(N);
var x: array [P] of 0..2; y: 0..2;
function same(n: 0..2): 0..2;
begin
  if n = 1 then return n; end;
  return same(n);
end;
startstate begin for p: P do x[p] := 0; end; y := 0; end;
ruleset p: P do
  rule "one" x[p] = 0 ==> begin x[p] := 1; y := same(1); end;
  rule "two" x[p] = 1 ==> begin x[p] := 2; y := same(2); end;
end;
invariant "y" y < 2;
