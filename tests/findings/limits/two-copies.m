-- 2^30 states, of which plain exploration and decision diagrams see few; the invariant is inductive, which a SAT solver finds at once.
type
  Place: 0..29;
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
invariant "copies agree" forall p: Place do first[p] = second[p] end;
