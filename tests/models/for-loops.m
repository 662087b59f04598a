-- Both kinds of for, with by, counting down, with no iteration at all; the loop variable shadows a global.
--
-- noether: verdict=holds states=6 canonical=6 rules=24 canonical_rules=24
-- noether: rumur=no
var n: 0..20; i: 0..1;
startstate begin n := 0; i := 0; end;
rule "up" begin n := 0; for k := 1 to 5 by 2 do n := n + k; end; i := 1; end;
rule "down" begin n := 0; for k := 5 to 1 by -2 do n := n + k - 1; end; i := 1; end;
rule "none" begin n := 1; for k := 3 to 2 do n := 20; end; for k := 2 to 3 by -1 do n := 19; end; i := 0; end;
rule "shadow" begin n := 0; for i: 0..3 do n := n + i; end; for i := 1 to 2 do for j := i to 2 do n := n + j; end; end; end;
invariant "sums" n = 0 | n = 9 | n = 6 | n = 1 | n = 11;
