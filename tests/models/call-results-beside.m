-- Calls that return records and arrays side by side: as arguments, in comparisons, beside a call in an index, and of a
-- function that calls itself. (rumur writes C that does not compile for the comparisons.)
--
-- noether: verdict=holds states=5 canonical=5 rules=5 canonical_rules=5
-- noether: rumur=wrong
type r: record a, b: 0..3; end;
var x: r; n: 0..7; k: array [0..3] of r;
function mk(a: 0..3): r; var v: r; begin v.a := a; v.b := 3 - a; return v; end;
function sum(p: r; q: r): 0..7; begin return p.a + q.b; end;
function both(p: r; q: r): r; var v: r; begin v.a := p.a; v.b := q.b; return v; end;
function deep(i: 0..3): r;
begin
  if i = 0 then return mk(1); end;
  return both(both(mk(i), deep(i - 1)), both(deep(i - 1), mk(i)));
end;
startstate begin n := 0; x := mk(1); for i: 0..3 do k[i] := mk(i) end; end;
rule "sum" n = 0 ==> begin n := sum(mk(2), mk(1)); assert n = 4; end;
rule "nest" n = 4 ==> begin n := 5; x := both(mk(3), both(mk(2), mk(0))); assert x.a = 3 & x.b = 3; end;
rule "compare" n = 5 & mk(1) != mk(2) & mk(2) = mk(2) & both(mk(1), mk(0)) = both(mk(1), mk(0)) ==> begin n := 6; end;
rule "index" n = 6 ==> begin k[sum(mk(0), mk(2))] := mk(3); assert k[1].a = 3 & k[1].b = 0; n := 7; end;
rule "deep" n = 7 ==> var d: r; begin
  d := deep(2);
  assert d.a = 2 & d.b = 1 & deep(1) = both(mk(1), deep(1));
  n := 0; x := mk(1); k[1] := mk(1);
end;
invariant n != 0 | x = mk(1);
