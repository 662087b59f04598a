-- Booleans as index, as parameter, compared with = and !=, ordered in loops.
--
-- noether: verdict=holds states=8 canonical=8 rules=24 canonical_rules=24
-- noether: rumur=yes
var b: array [boolean] of boolean; c: boolean;
startstate begin for i: boolean do b[i] := i; end; c := true; end;
ruleset i: boolean; j: boolean do
  rule "set" i != j ==> begin b[j] := !b[j]; c := (b[i] = b[j]) != c; end;
end;
rule "c" begin c := !c; end;
