-- Arrays of arrays, indexed by enumerations, booleans and ranges; whole rows assigned.
--
-- noether: verdict=holds states=328 canonical=328 rules=1108 canonical_rules=1108
-- noether: rumur=yes
type
  Side: enum { Left, Right };
  Row: array [boolean] of 0..2;
var
  grid: array [Side] of array [1..2] of Row;
  flag: boolean;
startstate begin
  for s: Side do for i: 1..2 do for b: boolean do grid[s][i][b] := 0; end; end; end;
  flag := false;
end;
rule "inc" grid[Left][1][flag] < 2 ==> begin grid[Left][1][flag] := grid[Left][1][flag] + 1; end;
rule "shift" begin grid[Right] := grid[Left]; end;
rule "row" begin grid[Left][2] := grid[Right][1]; end;
rule "flip" begin flag := !flag; end;
invariant "lags" grid[Right][1][true] <= grid[Left][1][true];
