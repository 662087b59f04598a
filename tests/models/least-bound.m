-- A range may begin at -2^31, as the int of C does. No variable can hold that value: tests/findings/language has runs that store it.
--
-- noether: verdict=holds states=6 canonical=6 rules=8 canonical_rules=8
-- noether: rumur=yes
type int: -2147483648..2147483647; low: -2147483648..3;
var x: int; y: low; r: record a: low; end;
function down(v: low): low; begin return v - 2147483647; end;
startstate begin x := -1; y := 0; r.a := 3; end;
rule "count" x < 1 ==> begin x := x + 1; end;
rule "low" y = 0 ==> begin y := down(y); r.a := y; end;
rule "high" y = -2147483647 & x = 1 ==> begin y := y + 2147483647; r.a := 3; end;
invariant y > -2147483648 & -x < 2147483648;
