-- Readers 1..R share, writers R+1..R+W exclude: Chu, Jaffar (CAV 2011), figure 1. Nobody leaves (LEAVES = 0), as in the
-- paper; with LEAVES = 1 the state space is one large cycle.
--
--   noether check --engine complete --deadlock off tests/models/complete/readers-writers.m -D R=10 -D W=5
const
  R: 2;
  W: 1;
  LEAVES: 0;

type
  Process: 1..R+W;
  Place: enum { Noncritical, Trying, Critical };

var
  at: array [Process] of Place;

startstate
begin
  for i: Process do at[i] := Noncritical; end;
end;

ruleset i: Process do
  rule "try" at[i] = Noncritical ==> begin at[i] := Trying; end;

  rule "enter alone" at[i] = Trying & forall j: Process do at[j] != Critical end ==>
  begin
    at[i] := Critical;
  end;

  rule "read" at[i] = Trying & i <= R & forall j: Process do j > R -> at[j] != Critical end ==>
  begin
    at[i] := Critical;
  end;

  rule "leave" at[i] = Critical & LEAVES = 1 ==> begin at[i] := Noncritical; end;
end;

invariant "only readers are together"
  forall i: Process do
    forall j: Process do i != j & at[i] = Critical & at[j] = Critical -> i <= R end
  end;
