-- Loops over a scalarset that do not depend on the order: sums, flags raised, copies to all.
--
-- noether: verdict=holds states=2560 canonical=350 rules=17920 canonical_rules=2450
-- noether: rumur=yes
const N: 4;
type P: scalarset(N);
var on: array [P] of boolean; copy: array [P] of boolean; n: 0..N; any: boolean;
startstate begin for p: P do on[p] := false; copy[p] := false; end; n := 0; any := false; end;
ruleset p: P do rule "flip" begin on[p] := !on[p]; end; end;
rule "count" begin n := 0; for p: P do if on[p] then n := n + 1; end; end; end;
rule "any" begin any := false; for p: P do if on[p] then any := true; end; end; end;
rule "copy" begin for p: P do copy[p] := on[p]; end; end;
invariant "any" any -> n >= 0;
