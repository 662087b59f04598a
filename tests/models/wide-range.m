-- Wide ranges, up to the limits of what arithmetic allows.
--
-- noether: verdict=holds states=7 canonical=7 rules=7 canonical_rules=7
-- noether: rumur=yes
var x: -2000000000..2000000000; y: 0..4000000;
startstate begin x := -2000000000; y := 0; end;
rule "up" x < 0 ==> begin x := x + 1000000000; end;
rule "big" x = 0 ==> begin x := 2 * 1000 * 1000 * 1000; y := 4000000; end;
rule "back" x > 0 ==> begin x := x - 4000000000; y := y / 1000; end;
invariant "even" x % 2 = 0;
