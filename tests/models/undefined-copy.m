-- Copying an undefined value is no use of it.
--
-- noether: verdict=holds states=27 canonical=27 rules=116 canonical_rules=116
-- noether: rumur=differs
type R: record a: 0..1; b: boolean; end;
var x, y: 0..1; r, s: R;
startstate begin x := 0; r.a := 1; s.b := true; end;
rule "copy" begin y := x; r := s; end;
rule "back" begin x := y; s := r; end;
rule "set" isundefined(y) ==> begin y := 1; end;
rule "r" begin r.a := 0; end;
rule "lose" begin undefine x; undefine s.b; end;
