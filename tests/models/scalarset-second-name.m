-- A scalarset through a second type name. rumur 2022.08 reports a false violation here with symmetry on.
--
-- noether: verdict=holds states=3 canonical=1 rules=9 canonical_rules=3
-- noether: rumur=yes
type A: scalarset(3); B: A;
var p: B; q: A; on: array [B] of boolean;
ruleset x: A do startstate begin p := x; q := x; for i: A do on[i] := i = x; end; end; end;
ruleset x: B do rule "move" begin on[p] := false; p := x; q := x; on[x] := true; end; end;
invariant "together" p = q;
invariant "on" on[p];
