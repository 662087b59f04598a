-- Names shadow names: a local a global, a parameter a global, a quantifier a local; enumeration labels stay visible.
--
-- noether: verdict=holds states=8 canonical=8 rules=24 canonical_rules=24
-- noether: rumur=yes
type T: enum { A, B };
var x: T; n: 0..3;
function F(x: 0..3): 0..3; var n: 0..3; begin n := x; for x := 0 to 1 do n := (n + x) % 4; end; return n; end;
startstate begin x := A; n := 0; end;
rule "step" var x: 0..3; begin x := 2; n := F((n + x) % 4); end;
rule "turn" begin x := x = A ? B : A; end;
ruleset t: T do rule "set" t != x ==> begin x := t; end; end;
