-- Procedures: var parameters of every kind (scalar, record, array element), early return, order of effects.
--
-- noether: verdict=holds states=520 canonical=520 rules=2080 canonical_rules=2080
-- noether: rumur=yes
type
  P: record a, b: 0..3; end;
  Ps: array [0..1] of P;
var ps: Ps; n: 0..3;
procedure Swap(var x: 0..3; var y: 0..3); var t: 0..3; begin t := x; x := y; y := t; end;
procedure Set(var p: P; v: 0..3); begin if v = 0 then return; end; p.a := v; Swap(p.a, p.b); end;
procedure All(var q: Ps); begin for i: 0..1 do Set(q[i], n); end; end;
startstate begin for i: 0..1 do ps[i].a := 0; ps[i].b := 0; end; n := 0; end;
rule "n" begin n := (n + 1) % 4; end;
rule "one" begin Set(ps[0], n); end;
rule "all" begin All(ps); end;
rule "cross" begin Swap(ps[0].a, ps[1].b); end;
