-- Rule priorities are read and decide: of the enabled rules only those with the least number fire (CMurphi alone has them).
--
-- noether: verdict=holds states=2 canonical=2 rules=2 canonical_rules=2
-- noether: rumur=no
var x: 0..3;
startstate begin x := 0; end;
rule 5 "high" x < 3 ==> begin x := x + 1; end;
rule 1 "low" x > 0 ==> begin x := x - 1; end;
