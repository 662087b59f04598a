-- ALWAYS EVENTUALLY of older dialects is rumur's liveness, in any case, with and without a name; both words stay names.
--
-- noether: verdict=violated kind=liveness property="zero again" trace_length=4 states=7 canonical=7 rules=8 canonical_rules=8
-- noether: rumur=no
var x: 0..9; always, eventually: boolean;
startstate begin x := 0; always := true; eventually := true; end;
rule "one" x < 5 ==> begin x := (x + 1) % 5; end;
rule "trap" x = 3 ==> begin x := 7; end;
rule "in the trap" x > 6 ==> begin x := x = 7 ? 8 : 7; end;
LIVENESS "zero again" ALWAYS EVENTUALLY x = 0;
Liveness always Eventually always & eventually;
liveness always & eventually;
