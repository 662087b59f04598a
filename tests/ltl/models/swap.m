-- A process decides to go back to 0 only while the other is at 1: weak fairness does not force it to.
type
  Proc: scalarset(2);
  Loc: enum { Look, Up, Down };
var
  v: array [Proc] of 0..1;
  at: array [Proc] of Loc;

startstate begin for p: Proc do v[p] := 0; at[p] := Look end end;

ruleset p: Proc do
  rule "see 0" at[p] = Look & v[p] = 0 ==> begin at[p] := Up end;
  rule "see 1" at[p] = Look & forall q: Proc do v[q] = 1 end ==> begin at[p] := Down end;
  rule "up" at[p] = Up ==> begin v[p] := 1; at[p] := Look end;
  rule "down" at[p] = Down ==> begin v[p] := 0; at[p] := Look end;
end;

ltl "gf1" forall p: Proc do G F v[p] = 0 end;
ltl "fgboth" F G exists p: Proc do v[p] = 1 end;
