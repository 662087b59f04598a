-- In the last state the only enabled rule changes nothing: a deadlock for CMurphi (stuttering), not when rules merely must be enabled.
--
-- noether: verdict=violated kind=deadlock deadlock=stuttering trace_length=3
-- noether: verdict=holds deadlock=stuck states=4 canonical=4 rules=4 canonical_rules=4
-- noether: verdict=holds deadlock=off states=4 canonical=4 rules=4 canonical_rules=4
-- noether: rumur=yes
var n: 0..3;
startstate begin n := 0; end;
rule "step" n < 3 ==> begin n := n + 1; end;
rule "idle" n = 3 ==> begin n := 3; end;
