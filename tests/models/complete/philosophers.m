-- Each philosopher eats once: Chu, Jaffar (CAV 2011), table 1. The forks stand between neighbours, so not every
-- permutation of the philosophers is one of the system: renaming the forks by number, as the paper does, takes states for
-- covered that are not. With APART = 1 the second invariant is asked for, too: it is violated from N = 4 on, and that
-- renaming misses it.
--
--   noether check --engine complete --deadlock off tests/models/complete/philosophers.m -D N=6
const
  N: 3;
  APART: 0;

type
  Process: 0..N-1;
  Place: 0..5;

var
  at: array [Process] of Place;
  fork: array [Process] of boolean;
  eating: 0..N;
  started: boolean;

startstate
begin
  for i: Process do at[i] := 0; fork[i] := false; end;
  eating := 0;
  started := false;
end;

rule "start" !started ==> begin started := true; end;

ruleset i: Process do
  alias left: fork[(i + N - 1) % N] do
    rule "take left" at[i] = 0 & started & !left ==> begin left := true; at[i] := 1; end;
    rule "take right" at[i] = 1 & !fork[i] ==> begin fork[i] := true; at[i] := 2; end;
    rule "begin" at[i] = 2 ==> begin eating := eating + 1; at[i] := 3; end;
    rule "end" at[i] = 3 ==> begin eating := eating - 1; fork[i] := false; at[i] := 4; end;
    rule "put left" at[i] = 4 ==> begin left := false; at[i] := 5; end;
  end;
end;

invariant "half of them eat" eating <= N/2;

invariant "never two at 3 and two at 5"
  APART = 1 ->
  !exists a: Process do exists b: Process do exists c: Process do exists d: Process do
    a < b & at[a] = 3 & at[b] = 3 & c < d & at[c] = 5 & at[d] = 5
  end end end end;
