-- The smaller range is declared before the one that its processes are found in; a formula with a variable makes a copy of the copy.
type
  Few: 0..1;
  All: 0..3;
var
  on: array [All] of boolean;
  one: Few;
  last: All;

ruleset f: Few do
  startstate "start"
  begin
    for p: All do
      on[p] := false;
    end;
    one := f;
    last := f;
  end;
end;

ruleset p: All do
  rule "turn"
    true
  ==>
  begin
    on[p] := !on[p];
    last := one;
  end;
end;

ctl "each" forall p: All do AG EF on[p] end;
