-- The second start state violates the liveness property at once, the first one after a step.
type P: scalarset(2);
var
  on: array [P] of boolean;
  is_late: boolean;

startstate "on"
begin
  for p: P do
    on[p] := true;
  end;
  is_late := false;
end;

startstate "off"
begin
  for p: P do
    on[p] := false;
  end;
  is_late := true;
end;

ruleset p: P do
  rule "off"
    on[p]
  ==>
  begin
    on[p] := false;
  end;
end;

liveness "some" exists p: P do on[p] end;
