-- A function that never stops calling itself is an error of the model.
--
-- noether: verdict=violated kind=error trace_length=1
-- noether: rumur=no
type
  P: scalarset(2);
var
  x: array [P] of boolean;
function never(p: P): boolean;
begin
  return never(p);
end;
startstate begin for p: P do x[p] := false; end; end;
ruleset p: P do
  rule "try" !x[p] ==> begin x[p] := never(p); end;
end;
