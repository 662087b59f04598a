-- -2^31 is a constant like others; only a range cannot have it.
--
-- noether: verdict=holds states=2 canonical=2 rules=2 canonical_rules=2
-- noether: with L=-2147483648 verdict=holds states=2 rules=2
-- noether: rumur=yes
const L: -2147483648; K: L + 1; B: L < K;
var x: K..0; b: boolean;
startstate begin x := 0; b := B; end;
rule x = 0 ==> begin x := L - L + K; b := L = -2147483647 - 1; end;
rule x < 0 ==> begin x := x + (-(L + 1)); end;
invariant b & x > L;
