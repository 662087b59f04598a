-- The same, with a property that fails: the run begins in the model's own start state, in which x is the last element.
-- The other elements are never written, so the orbits hold more states than the model has.
--
-- noether: verdict=violated kind=invariant property="not twice" trace_length=2
-- noether: rumur=yes
type V: scalarset(3);
var x: V; n: 0..2;
startstate begin
  for v: V do x := v; end;
  n := 0;
end;
rule "again" n < 2 ==> begin n := n + 1; end;
invariant "not twice" n < 2;
