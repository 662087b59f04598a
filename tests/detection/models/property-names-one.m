-- A property about process 1 keeps the symmetry of the others.
--
-- detect: order=6 Proc{2,3,4}=full
type Proc: 1..4;
var on: array [Proc] of boolean;
startstate begin for p: Proc do on[p] := false; end; end;
ruleset p: Proc do rule "flip" begin on[p] := !on[p]; end; end;
cover "one" on[1];
