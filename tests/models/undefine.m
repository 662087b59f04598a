-- undefined is a value of the state: variables never set, undefined again, records and arrays at once.
--
-- noether: verdict=holds states=32 canonical=32 rules=108 canonical_rules=108
-- noether: rumur=yes
type R: record a: boolean; b: 0..1; end;
var x: 0..2; r: R; a: array [0..1] of 0..1;
startstate begin a[0] := 0; end;
rule "x" isundefined(x) ==> begin x := 0; end;
rule "inc" !isundefined(x) & x < 2 ==> begin x := x + 1; end;
rule "lose" !isundefined(x) ==> begin undefine x; undefine r; end;
rule "r" !isundefined(x) ==> begin r.b := x = 2 ? 1 : 0; end;
rule "a" begin if isundefined(a[1]) then a[1] := 1; else undefine a; a[0] := 1; end; end;
