-- The compiled search finds the violation within a second; the evaluator takes minutes to replay the run.
var x: 0..10; y: 0..6;
startstate begin x := 0; y := 0; end;
rule "r" x < 2 ==>
begin
  for i: 0..10000 do for j: 0..10000 do y := (y + 1) % 7; end; end;
  x := x + 1;
end;
invariant "i" x < 2;
