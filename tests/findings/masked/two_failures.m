-- In the one bad state, two elements of a scalarset fail in different ways, in one loop. Which of the two failures is met
-- depends on the numbering of the elements: the state space reduced by symmetry has only one of the numberings.
type Process: scalarset(2);
var x: array [Process] of 0..2;

startstate for p: Process do x[p] := 0; end; end;

ruleset p: Process; q: Process do
  rule "spoil" p != q & x[p] = 0 & x[q] = 0 ==> x[p] := 1; x[q] := 2; end;
end;

rule "look" exists p: Process do x[p] != 0 end ==>
  for p: Process do
    assert "not one" x[p] != 1;
    assert "not two" x[p] != 2;
  end;
end;
