-- A barrier that interchangeable processes pass again and again. The last one to arrive turns the flag; the others wait
-- until the flag has the sense that they expect.
--
-- "passed" holds, without any fairness: nobody gets further than the next barrier before the slowest one.
-- With -D SENSE=false they wait until the count is zero, instead: who looks late finds the count of the next turn, and
-- "passed" is violated, also under fairness. barrier.pml is the same system for SPIN.

const
  N: 3;
  SENSE: true;

type
  Proc: scalarset(N);
  Place: enum { Work, Ready, Wait };

var
  at: array [Proc] of Place;
  sense: array [Proc] of boolean;   -- expected, while waiting
  flag: boolean;
  count: 0..N-1;

startstate begin
  for p: Proc do at[p] := Work; sense[p] := false end;
  flag := false;
  count := 0;
end;

ruleset p: Proc do
  rule "work" at[p] = Work ==> begin at[p] := Ready end;

  rule "arrive" at[p] = Ready ==>
  begin
    if count = N - 1 then
      count := 0;
      flag := SENSE & !flag;
      at[p] := Work;
    else
      count := count + 1;
      sense[p] := SENSE & !flag;
      at[p] := Wait;
    end;
  end;

  rule "pass" at[p] = Wait & (SENSE ? flag = sense[p] : count = 0) ==>
  begin
    sense[p] := false;
    at[p] := Work;
  end;
end;

ltl "passed" forall p: Proc do at[p] = Wait leadsto at[p] = Work end;
