-- A ticket lock: whoever draws a ticket is served.
const N: 3;
type
  Proc: scalarset(N);
  Ticket: 0..N-1;
  Loc: enum { Rest, Wait, Crit };
var
  at: array [Proc] of Loc;
  mine: array [Proc] of Ticket;
  next, served: Ticket;

startstate begin
  for p: Proc do at[p] := Rest; mine[p] := 0 end;
  next := 0;
  served := 0;
end;

ruleset p: Proc do
  rule "draw" at[p] = Rest ==> begin mine[p] := next; next := (next + 1) % N; at[p] := Wait end;
  rule "enter" at[p] = Wait & served = mine[p] ==> begin at[p] := Crit end;
  rule "leave" at[p] = Crit ==> begin mine[p] := 0; served := (served + 1) % N; at[p] := Rest end;
end;

ltl "mutex" forall p: Proc do forall q: Proc do p != q -> G !(at[p] = Crit & at[q] = Crit) end end;
ltl "live" forall p: Proc do G (at[p] = Wait -> F at[p] = Crit) end;
ltl "all" G forall p: Proc do at[p] = Wait -> F at[p] = Crit end;
