-- expect: 6:14: error: a temporal formula cannot be part of an expression
-- hint: temporal formulas are combined with !, &, |, ->, forall and exists
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
ruleset i: 0..3 do rule "r" x ==> begin x := false; end; end;
ltl "a" (x = (F x));
