-- Two scalarsets, rows and columns: 2^9 = 512 matrices, 36 up to permuting rows and columns (OEIS A002724).
--
-- noether: verdict=holds states=512 canonical=36 rules=4608 canonical_rules=324
-- noether: with N=5 verdict=holds canonical=5624
-- noether: rumur=yes
const N: 3;
type Row: scalarset(N); Column: scalarset(N);
var m: array [Row] of array [Column] of boolean;
startstate begin for r: Row do for c: Column do m[r][c] := false; end; end; end;
ruleset r: Row; c: Column do rule "flip" begin m[r][c] := !m[r][c]; end; end;
