-- Each process flips a bit of its own: what process 1 does looks like what process 2 does, up to symmetry.
const N: 3;
type Proc: scalarset(N);
var x: array [Proc] of boolean;

startstate begin for p: Proc do x[p] := false end end;

ruleset p: Proc do
  rule "flip" begin x[p] := !x[p] end;
end;

ltl "each" forall p: Proc do G F x[p] end;
ltl "one" G F exists p: Proc do x[p] end;
ltl "zero" G F forall p: Proc do !x[p] end;
