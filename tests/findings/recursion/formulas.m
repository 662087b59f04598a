-- Calls in a guard, an invariant and atoms of formulas.
const N: 3;
type P: scalarset(N);
var x: array [P] of 0..3;
function ends(n: 0..3): boolean;
begin
  if n = 0 then return true; end;
  return ends(n - 1);
end;
startstate begin for p: P do x[p] := 0; end; end;
ruleset p: P do
  rule "step" x[p] < 3 & ends(x[p]) ==> begin x[p] := x[p] + 1; end;
  rule "back" x[p] = 3 ==> begin x[p] := 0; end;
end;
invariant "all end" forall p: P do ends(x[p]) end;
ltl "again and again" G F (exists p: P do x[p] = 0 & ends(x[p]) end);
ltl "for ever" F G (exists p: P do x[p] = 0 & ends(x[p]) end);
ctl "back to zero" AG EF (forall p: P do x[p] = 0 & ends(x[p]) end);
ctl "never" AG !(forall p: P do x[p] = 3 & ends(x[p]) end);
