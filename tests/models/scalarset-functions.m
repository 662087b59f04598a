-- Scalarset values through functions, procedures, var parameters, aliases and locals.
--
-- noether: verdict=holds states=243 canonical=42 rules=846 canonical_rules=148
-- noether: rumur=yes
const N: 3;
type P: scalarset(N); Slot: record who: P; n: 0..1; end;
var s: array [P] of Slot; last: P;
function Other(p: P; q: P): boolean; begin return p != q; end;
function Who(p: P): P; begin return s[p].who; end;
procedure Assign(var t: Slot; p: P); var q: P; begin q := p; t.who := q; t.n := 1 - t.n; end;
ruleset p: P do startstate begin for q: P do s[q].who := q; s[q].n := 0; end; last := p; end; end;
ruleset p: P; q: P do
  rule "assign" Other(p, q) & Who(p) != q ==> begin alias t: s[p] do Assign(t, q); end; last := Who(p); end;
end;
invariant "self" forall p: P do s[p].who = p -> s[p].n <= 1 end;
