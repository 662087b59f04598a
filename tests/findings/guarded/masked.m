-- Only process 2 steps: its guard breaks the symmetry. The loop fails at process 1, as "other". Without the guard
-- process 1 steps, too, and fails as "own": the one failure hides the other. The search without symmetry that looks for
-- what is hidden is one of the model; without the guard it shows states and failures that the model lacks.
type
  id: 1..2;

var
  on: array [id] of boolean;

startstate "start"
begin
  for i: id do
    on[i] := false;
  end;
end;

ruleset i: id do
  rule "step"
    i = 2
  ==>
  begin
    on[i] := true;
  end;
end;

ruleset i: id do
  rule "fail"
    on[i]
  ==>
  begin
    for j: id do
      if j = i then
        error "own";
      else
        error "other";
      end;
    end;
  end;
end;
