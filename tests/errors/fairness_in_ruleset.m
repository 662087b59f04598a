-- expect: 6:20: error: fairness of rules and processes stands outside of rulesets
--
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
ruleset i: 0..3 do rule "r" x ==> begin x := false; end; end;
ruleset j: 0..1 do fairness weak "r"; end;
