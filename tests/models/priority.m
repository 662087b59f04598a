-- Rule priorities (CMurphi alone has them) are read: a number before the name, or before the guard of a rule without one.
-- The rules here are never enabled together, so nothing is decided by them.
--
-- noether: verdict=holds states=4 canonical=4 rules=4 canonical_rules=4
-- noether: rumur=no
var x: 0..3;
startstate begin x := 0; end;
rule 5 "high" x < 2 ==> begin x := x + 1; end;
rule 1 "low" x = 2 ==> begin x := 3; end;
rule 7 x > 2 ==> begin x := 0; end;
