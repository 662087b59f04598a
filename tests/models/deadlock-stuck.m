-- No rule is enabled in the last state: a deadlock in both meanings.
--
-- noether: verdict=violated kind=deadlock deadlock=stuttering trace_length=3
-- noether: verdict=violated kind=deadlock deadlock=stuck trace_length=3
-- noether: verdict=holds deadlock=off states=4 canonical=4 rules=3 canonical_rules=3
-- noether: rumur=yes
var n: 0..3;
startstate begin n := 0; end;
rule "step" n < 3 ==> begin n := n + 1; end;
