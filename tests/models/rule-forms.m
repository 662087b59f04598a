-- Rules without guard, without body, without name; rulesets in rulesets; a rule with three parameters.
--
-- noether: verdict=holds states=27 canonical=27 rules=198 canonical_rules=198
-- noether: rumur=yes
var a, b, c: 0..2;
startstate a := 0; b := 0; c := 0; end;
rule begin a := (a + 1) % 3; end;
rule a = 2 ==> b := 0; end;
rule "nothing" true ==> end;
ruleset i: 0..2 do
  ruleset j: 0..1; k: boolean do
    rule "set" i != j & k ==> begin b := i; c := j; end;
  end;
  rule "c" c < i ==> begin c := i; end;
end;
