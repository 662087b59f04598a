-- A start state that picks elements by their order: which of symmetric states the runs begin in depends on the
-- numbering, the orbits of what they reach do not. The symmetry of V is used.
--
-- noether: verdict=holds states=72 canonical=14 rules=432 canonical_rules=84
-- noether: rumur=yes
type V: scalarset(3);
var x: V; last: V; old: V; a: array [V] of boolean;
startstate begin
  for v: V do x := v; old := v; a[v] := false; end;
  last := x;
end;
ruleset v: V do
  rule "write" begin x := v; last := v; a[v] := !a[v]; end;
  rule "keep" begin old := v; end;
end;
invariant "same" x = last;
