-- &, | and -> evaluate the right side only when it matters.
--
-- noether: verdict=holds states=20 canonical=20 rules=20 canonical_rules=20
-- noether: rumur=yes
var x: 0..3; y: 0..3;
startstate begin y := 0; end;
rule "set" isundefined(x) | x < 3 ==> begin x := isundefined(x) ? 0 : x + 1; end;
rule "lose" !isundefined(x) & x = 3 ==> begin undefine x; y := (y + 1) % 4; end;
invariant "and" !(!isundefined(x) & 6 / (x + 1) < 1);
invariant "implies" y != 0 -> 4 / y > 0;
