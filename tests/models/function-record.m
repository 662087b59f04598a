-- A function that returns a record; a function with a var parameter.
--
-- noether: verdict=holds states=18 canonical=18 rules=36 canonical_rules=36
-- noether: rumur=yes
type R: record a, b: 0..2; end;
var r: R; n: 0..2;
function Make(a: 0..2; b: 0..2): R; var t: R; begin t.a := a; t.b := b; return t; end;
function Take(var t: R): 0..2; begin t.a := t.b; return t.a; end;
startstate begin r := Make(0, 1); n := 0; end;
rule "make" begin r := Make(r.b, (r.a + 1) % 3); end;
rule "take" begin n := Take(r); end;
