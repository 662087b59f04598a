-- clear sets everything to its least value: false, the first label, the low end of a range.
--
-- noether: verdict=holds states=6 canonical=6 rules=24 canonical_rules=24
-- noether: rumur=yes
type E: enum { First, Second }; R: record e: E; n: -2..3; f: boolean; a: array [0..1] of 5..6; end;
var r: R; n: 3..4;
startstate begin clear r; n := 4; end;
rule "change" begin r.e := Second; r.n := 0; r.f := true; r.a[1] := 6; end;
rule "one" begin clear r.n; end;
rule "all" begin clear r; clear n; end;
rule "n" begin n := 4; end;
invariant "values" r.a[0] = 5 & (r.n = -2 | r.n = 0);
