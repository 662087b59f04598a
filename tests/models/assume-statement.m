-- assume as a statement: the step is discarded as a whole (rumur).
--
-- noether: verdict=holds states=9 canonical=9
-- noether: rumur=yes
var x: 0..9; n: 0..2;
startstate begin x := 0; n := 0; end;
rule "step" x < 8 ==> begin n := (n + 1) % 3; x := x + 2; assume x != 6; end;
rule "reset" begin x := 0; end;
invariant "cut" x <= 4;
