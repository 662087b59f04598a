-- Every process adds its number to a sum, once: Chu, Jaffar (CAV 2011), figure 2. No two processes do the same, and yet
-- what is left to do after one of them is like what is left after another. The paper's table counts the node before
-- the first step of the program, so there is a rule for it here.
--
--   noether check --engine complete --deadlock off tests/models/complete/sum-of-ids.m -D N=100
const
  N: 10;

type
  Process: 1..N;
  Place: enum { Before, After };

var
  at: array [Process] of Place;
  sum: 0..N*(N+1)/2;
  started: boolean;

startstate
begin
  for i: Process do at[i] := Before; end;
  sum := 0;
  started := false;
end;

rule "start" !started ==> begin started := true; end;

ruleset i: Process do
  rule "add" at[i] = Before & started ==>
  begin
    sum := sum + i;
    at[i] := After;
  end;
end;

invariant "no more than all" sum <= N*(N+1)/2;
