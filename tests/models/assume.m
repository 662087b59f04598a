-- assume: states that break it are not part of the system (rumur).
--
-- noether: verdict=holds states=6 canonical=6 rules=18 canonical_rules=18
-- noether: rumur=yes
var x: 0..9;
startstate begin x := 0; end;
rule "two" x < 8 ==> begin x := x + 2; end;
rule "one" x < 9 ==> begin x := x + 1; end;
rule "reset" begin x := 0; end;
assume "small" x < 6;
invariant "small" x < 6;
