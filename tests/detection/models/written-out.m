-- Two processes written out one by one: exchanging them exchanges the rules.
--
-- detect: order=2 Proc{*}=full
type Proc: 1..2;
var flag: array [Proc] of boolean; turn: Proc; crit: array [Proc] of boolean;
ruleset t: Proc do startstate begin flag[1] := false; flag[2] := false; crit[1] := false; crit[2] := false; turn := t; end; end;
rule "1 asks" !flag[1] ==> begin flag[1] := true; turn := 2; end;
rule "2 asks" !flag[2] ==> begin flag[2] := true; turn := 1; end;
rule "1 enters" flag[1] & !crit[1] & (!flag[2] | turn = 1) ==> begin crit[1] := true; end;
rule "2 enters" flag[2] & !crit[2] & (!flag[1] | turn = 2) ==> begin crit[2] := true; end;
rule "1 leaves" crit[1] ==> begin crit[1] := false; flag[1] := false; end;
rule "2 leaves" crit[2] ==> begin crit[2] := false; flag[2] := false; end;
