-- -> is weaker than |, | than &, & than !.
--
-- noether: verdict=holds states=8 canonical=8 rules=24 canonical_rules=24
-- noether: rumur=yes
var a, b, c: boolean;
startstate begin a := false; b := false; c := false; end;
rule "a" begin a := !a; end;
rule "b" begin b := !b; end;
rule "c" begin c := !c; end;
invariant "weaker" (!a | b -> c) = ((!a | b) -> c);
invariant "or and and" (a | b & c) = (a | (b & c));
invariant "not" (!a & b) = ((!a) & b);
