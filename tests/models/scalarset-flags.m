-- Twelve interchangeable flags: 2^12 states, 13 up to symmetry (how many are up). No n! anywhere.
--
-- noether: verdict=holds states=4096 canonical=13 rules=49152 canonical_rules=156
-- noether: rumur=yes
const N: 12;
type Id: scalarset(N);
var up: array [Id] of boolean;
startstate begin for i: Id do up[i] := false; end; end;
ruleset i: Id do rule "flip" begin up[i] := !up[i]; end; end;
