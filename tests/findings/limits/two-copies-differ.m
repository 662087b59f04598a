-- two-copies.m with a rule that changes one copy alone, once ten places differ from the start: beyond what plain exploration and decision
-- diagrams reach in a minute, and a short run for a SAT solver.
type
  Place: 0..59;
var
  first: array [Place] of boolean;
  second: array [Place] of boolean;
startstate begin
  for p: Place do first[p] := p % 3 = 0; second[p] := p % 3 = 0; end;
end;
ruleset p: Place do
  rule "flip" p = 0 | first[p - 1] | p % 7 = 2 ==>
  begin first[p] := !first[p]; second[p] := !second[p]; end;
end;
rule "one alone" forall p: Place do p > 14 | first[p] = (p % 3 = 1) end ==>
begin first[0] := !first[0]; end;
invariant "copies agree" forall p: Place do first[p] = second[p] end;
