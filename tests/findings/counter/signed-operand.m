-- A temporal operator before a minus sign: what was written read as a difference. Two minus signs: as a comment.
type P: scalarset(2);
var
  on: array [P] of boolean;
  level: -1..1;

startstate "start"
begin
  for p: P do
    on[p] := false;
  end;
  level := 0;
end;

ruleset p: P do
  rule "turn"
    !on[p]
  ==>
  begin
    on[p] := true;
    level := -1;
  end;
end;

ctl "sinks" AF (-level > 0);

invariant "two signs" -(-level) <= 1;
