-- Counters take an exchange of processes for stuttering and leave deadlocks open here. The search for the formula, in a system of
-- its own, stopped at such a deadlock, and left the formula open, too.
type P: scalarset(2);
var
  holder: P;
  on: boolean;

ruleset p: P do
  startstate "start"
  begin
    holder := p;
    on := false;
  end;
end;

ruleset p: P do
  rule "pass"
    on
  ==>
  begin
    holder := p;
  end;
end;

ctl "leaves" !EF (exists p: P do AG (holder = p) end);
