-- A lock. The quantifier of the LTL formula stays inside it: it is decided on states, not on orbits. The CTL formula
-- looks at orbits.
const N: 3;
type P: scalarset(N);
     S: enum { idle, want, crit };
var at: array [P] of S;
    free: boolean;
startstate
  for p: P do at[p] := idle end;
  free := true;
end;
ruleset p: P do
  rule "want" at[p] = idle ==> at[p] := want; end;
  rule "enter" at[p] = want & free ==> at[p] := crit; free := false; end;
  rule "leave" at[p] = crit ==> at[p] := idle; free := true; end;
end;
invariant "one" forall p: P do forall q: P do at[p] = crit & at[q] = crit -> p = q end end;
ltl "some are kept waiting"
  G exists p: P do at[p] = idle & F at[p] = want end;
ctl "back" AG (forall p: P do at[p] = crit -> EF at[p] = idle end);
