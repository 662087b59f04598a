-- Symmetric except for one rule, and yet every process differs from every other, by a number of its own.
--
-- An engine that uses partial symmetry is worth a trial here, and has nothing to gain.
const
  N: 7;
type
  Process: 1..N;
var
  step: array [Process] of 0..2;
  number: array [Process] of 0..100;

startstate
  for p: Process do
    step[p] := 0;
    number[p] := p * p;
  end;
end;

ruleset p: Process do
  rule "up" step[p] < 2 ==>
    step[p] := step[p] + 1;
    number[p] := 100 - number[p];
  end;
  rule "down" step[p] > 0 ==>
    step[p] := step[p] - 1;
  end;
  rule "first" step[p] = 2 & p < 3 ==>
    step[p] := 0;
  end;
end;

invariant "below 100" forall p: Process do number[p] < 100 end;
