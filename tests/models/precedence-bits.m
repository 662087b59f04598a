-- Shifts bind tighter than comparison and looser than +.
--
-- noether: verdict=holds states=4 canonical=4 rules=11 canonical_rules=11
-- noether: rumur=yes
var x: 0..63;
startstate begin x := 1; end;
rule "a" begin x := (1 << 2 + 1) & 63; end;
rule "b" begin x := (x + 1 >> 1) & 63; end;
rule "c" x < 1 << 3 ==> begin x := (x << 1) & 63; end;
