-- := undefined, a spelling of undefine (CMurphi).
--
-- noether: verdict=holds states=8 canonical=8 rules=8 canonical_rules=8
-- noether: rumur=no
var x: 0..2; y: boolean;
startstate begin x := undefined; y := false; end;
rule "set" isundefined(x) ==> begin x := 0; end;
rule "inc" !isundefined(x) ==> begin if x = 2 then x := undefined; y := !y; else x := x + 1; end; end;
