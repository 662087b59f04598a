-- Liveness under symmetry: it is always possible that all are idle together.
--
-- noether: verdict=holds states=48 canonical=9 rules=144 canonical_rules=30
-- noether: rumur=yes
const N: 4;
type P: scalarset(N);
var busy: array [P] of boolean; lock: P;
startstate begin for p: P do busy[p] := false; end; end;
ruleset p: P do
  rule "start" !busy[p] ==> begin busy[p] := true; end;
  rule "lock" busy[p] & isundefined(lock) ==> begin lock := p; end;
  rule "stop" !isundefined(lock) & lock = p ==> begin busy[p] := false; undefine lock; end;
end;
liveness "all idle" forall p: P do !busy[p] end;
liveness "all busy" forall p: P do busy[p] end;
