-- A liveness property that fails: after the trap is entered, zero is out of reach.
--
-- noether: verdict=violated kind=liveness property="zero again" trace_length=4 states=7 canonical=7 rules=8 canonical_rules=8
-- noether: rumur=yes
var x: 0..9;
startstate begin x := 0; end;
rule "one" x < 5 ==> begin x := (x + 1) % 5; end;
rule "trap" x = 3 ==> begin x := 7; end;
rule "in the trap" x > 6 ==> begin x := x = 7 ? 8 : 7; end;
liveness "zero again" x = 0;
