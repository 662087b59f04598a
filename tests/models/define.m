-- A constant overridden from the command line.
--
-- noether: verdict=holds states=16 canonical=10 rules=32 canonical_rules=20
-- noether: with N=3 verdict=holds states=125 canonical=35 rules=375 canonical_rules=105
-- noether: with M=1 verdict=holds states=4 canonical=3 rules=8 canonical_rules=6
-- noether: rumur=yes
const N: 2; M: N + 1;
type P: scalarset(N); K: 0..M;
var k: array [P] of K;
startstate begin for p: P do k[p] := 0; end; end;
ruleset p: P do rule "step" begin k[p] := (k[p] + 1) % (M + 1); end; end;
