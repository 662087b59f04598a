-- A function and a procedure that call themselves; one variable of a process is compared with constants, for engines that want a location.
const N: 3;
type P: scalarset(N); R: 0..7;
var x: array [P] of 0..3; y: R;
function sum(n: R): R;
begin
  if n = 0 then return 0; end;
  return (n + sum(n - 1)) % 8;
end;
procedure drain(var r: R);
begin
  if r > 0 then r := r - 1; drain(r); end;
end;
startstate begin for p: P do x[p] := 0; end; y := 0; end;
ruleset p: P do
  rule "up" x[p] = 0 ==> begin x[p] := 1; y := sum(x[p]); end;
  rule "more" x[p] = 1 ==> begin x[p] := 2; y := sum(x[p]); end;
  rule "most" x[p] = 2 ==> begin x[p] := 3; y := sum(x[p]); end;
  rule "back" x[p] = 3 ==> begin x[p] := 0; drain(y); end;
end;
invariant "y is a sum" y = 0 | y = 1 | y = 3 | y = 6;
