-- expect: 6:1: error: there is no rule "other"
--
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
ruleset i: 0..3 do rule "r" x ==> begin x := false; end; end;
fairness weak "other";
