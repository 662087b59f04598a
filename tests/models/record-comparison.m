-- Whole records and arrays compared (rumur).
--
-- noether: verdict=holds states=32 canonical=32 rules=160 canonical_rules=160
-- noether: rumur=yes
type R: record a: 0..1; b: boolean; end; A: array [0..1] of boolean;
var r, s: R; p, q: A; same: boolean;
startstate begin clear r; clear s; clear p; clear q; same := true; end;
rule "r" begin r.a := 1 - r.a; end;
rule "b" begin s.b := !s.b; end;
rule "p" begin p[1] := !p[1]; end;
rule "q" begin q := p; end;
rule "same" begin same := r = s & p = q; end;
