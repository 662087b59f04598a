-- forall and exists over types, ranges with bounds and steps; nested; shadowing an outer name.
--
-- noether: verdict=holds states=324 canonical=324 rules=576 canonical_rules=576
-- noether: rumur=yes
const N: 4;
var x: array [1..N] of 0..2; i: 1..N;
startstate begin for k := 1 to N do x[k] := 0; end; i := 1; end;
rule "step" x[i] < 2 ==> begin x[i] := x[i] + 1; end;
rule "next" begin i := i = N ? 1 : i + 1; end;
rule "reset" forall j := 1 to N by 3 do x[j] = 2 end ==> begin x[1] := 0; x[N] := 0; end;
invariant "some" exists j: 1..N do x[j] >= 0 & forall k: 1..N do x[k] <= 2 end end;
