-- Processes that are found to be alike, of a type declared before an enumeration: counters keep the enumeration's codes.
--
-- noether: verdict=holds states=48 rules=144 canonical=9 canonical_rules=30
-- noether: rumur=yes
const N: 4;
type
  Proc: 1..N;
  St: enum { Idle, Want, Crit };
var st: array [Proc] of St;
startstate begin for p: Proc do st[p] := Idle; end; end;
ruleset p: Proc do
  rule "want" st[p] = Idle ==> begin st[p] := Want; end;
  rule "enter" st[p] = Want & (forall q: Proc do st[q] != Crit end) ==> begin st[p] := Crit; end;
  rule "leave" st[p] = Crit ==> begin st[p] := Idle; end;
end;
invariant "mutex" forall a: Proc do forall b: Proc do a != b & st[a] = Crit -> st[b] != Crit end end;
