-- Two calls that return records as arguments of one call.
--
-- noether: verdict=holds states=2 canonical=2 rules=2 canonical_rules=2
-- noether: rumur=yes
type r: record a, b: 0..3; end;
var x: r; n: 0..7;
function mk(a: 0..3): r; var v: r; begin v.a := a; v.b := 3 - a; return v; end;
function sum(p: r; q: r): 0..7; begin return p.a + q.b; end;
function both(p: r; q: r): r; var v: r; begin v.a := p.a; v.b := q.b; return v; end;
startstate begin n := 0; x := mk(1); end;
rule n = 0 ==> begin n := sum(mk(2), mk(1)); x := both(mk(3), both(mk(2), mk(0))); end;
rule n = 4 ==> begin n := 0; x := mk(1); end;
invariant n = 0 | (n = 4 & x.a = 3 & x.b = 3);
