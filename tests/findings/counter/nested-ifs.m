-- Ifs about shared variables, one in the other; the innermost assignment is out of range for some value of the loop.
-- Each level was tried twice, as one statement and then by branches: 2^24 ways.
type S: scalarset(2);
var at: array [S] of boolean; g: array [0..23] of boolean; x: 0..2;
startstate begin for i: S do at[i] := false; end; for k := 0 to 23 do g[k] := false; end; x := 0; end;
ruleset i: S do rule "r" !at[i] ==> begin
  at[i] := true;
  for k := 2 to 3 do
    if g[0] then
    if g[1] then
    if g[2] then
    if g[3] then
    if g[4] then
    if g[5] then
    if g[6] then
    if g[7] then
    if g[8] then
    if g[9] then
    if g[10] then
    if g[11] then
    if g[12] then
    if g[13] then
    if g[14] then
    if g[15] then
    if g[16] then
    if g[17] then
    if g[18] then
    if g[19] then
    if g[20] then
    if g[21] then
    if g[22] then
    if g[23] then
      x := k;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
    end;
  end;
end; end;
ruleset k: 0..23 do rule "flip" !g[k] & k > 20 ==> begin g[k] := true; end; end;
invariant "low" x < 2;
