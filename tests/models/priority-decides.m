-- Of the enabled rules only those with the least priority number fire (CMurphi alone has them): 0 to 1 by "up", the only rule
-- enabled; then "down" goes before "up".
--
-- noether: verdict=holds states=2 canonical=2 rules=2 canonical_rules=2
-- noether: rumur=no
var x: 0..3;
startstate begin x := 0; end;
rule 5 "up" x < 3 ==> begin x := x + 1; end;
rule 1 "down" x > 0 ==> begin x := x - 1; end;
invariant "never gets far" x < 2;
