-- A semaphore, which may let the same processes in again and again.
const N: 3;
type
  Proc: scalarset(N);
  Loc: enum { Idle, Want, Crit };
var
  at: array [Proc] of Loc;
  free: boolean;

startstate begin
  for p: Proc do at[p] := Idle end;
  free := true;
end;

ruleset p: Proc do
  rule "want" at[p] = Idle ==> begin at[p] := Want end;
  rule "enter" at[p] = Want & free ==> begin at[p] := Crit; free := false end;
  rule "leave" at[p] = Crit ==> begin at[p] := Idle; free := true end;
end;

ltl "mutex" forall p: Proc do forall q: Proc do p != q -> G !(at[p] = Crit & at[q] = Crit) end end;
ltl "live" forall p: Proc do at[p] = Want leadsto at[p] = Crit end;
ltl "some" G F exists p: Proc do at[p] = Crit end;
ltl "wantsome" (exists p: Proc do at[p] = Want end) leadsto exists p: Proc do at[p] = Crit end;
