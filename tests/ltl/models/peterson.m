-- Peterson's lock for two processes.
type
  Proc: scalarset(2);
  Loc: enum { Rest, Turn, Wait, Enter, Crit, Leave };
var
  at: array [Proc] of Loc;
  flag: array [Proc] of boolean;
  turn: Proc;

ruleset t: Proc do
  startstate begin
    for p: Proc do at[p] := Rest; flag[p] := false end;
    turn := t;
  end;
end;

ruleset p: Proc do
  rule "flag" at[p] = Rest ==> begin flag[p] := true; at[p] := Turn end;
  rule "turn" at[p] = Turn ==> begin turn := p; at[p] := Wait end;
  rule "pass" at[p] = Wait & (turn != p | forall q: Proc do q = p | !flag[q] end) ==> begin at[p] := Enter end;
  rule "enter" at[p] = Enter ==> begin at[p] := Crit end;
  rule "leave" at[p] = Crit ==> begin at[p] := Leave end;
  rule "unflag" at[p] = Leave ==> begin flag[p] := false; at[p] := Rest end;
end;

ltl "mutex" forall p: Proc do forall q: Proc do p != q -> G !(at[p] = Crit & at[q] = Crit) end end;
ltl "live" forall p: Proc do G (flag[p] -> F at[p] = Crit) end;
ltl "inf" forall p: Proc do G F at[p] = Crit end;
