-- A state of 100,001 cells, each of a process of its own: pages and traces have a lane for each.
var v: array[0..100000] of 0..3;
startstate for i:0..100000 do v[i] := 0; end; end;
ruleset i: 0..100000 do rule v[i] < 3 ==> v[i] := v[i] + 1; end; end;
