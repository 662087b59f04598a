-- A semaphore beside clocks: 2.8 * 10^10 states, a few thousand of which have a run on which a process starves.
const
  N: 12;
  C: 6;
type
  Proc: scalarset(N);
  Clock: 1..C;
  Loc: enum {Idle, Want, Crit};
var
  at: array [Proc] of Loc;
  free: boolean;
  time: array [Clock] of 0..9;

startstate begin
  for p: Proc do at[p] := Idle end;
  for c: Clock do time[c] := 0 end;
  free := true;
end;

ruleset p: Proc do
  rule "want" at[p] = Idle ==> begin at[p] := Want end;
  rule "enter" at[p] = Want & free ==> begin at[p] := Crit; free := false end;
  rule "leave" at[p] = Crit ==> begin at[p] := Idle; free := true end;
end;

ruleset c: Clock do
  rule "tick" begin time[c] := (time[c] + 1) % 10 end;
end;

ltl "live" forall p: Proc do G (at[p] = Want -> F at[p] = Crit) end;
ltl "early" G (forall p: Proc do at[p] != Crit end | time[1] = 0);
ltl "mutex" G forall p: Proc do at[p] = Crit -> !free end;
