-- A depth-first run of many steps through states of many cells: its JSON has every cell of every step.
const N: 300; 
var v: array[0..N] of 0..3; c: 0..100000;
startstate for i:0..N do v[i] := 0; end; c := 0; end;
ruleset i: 0..N do rule v[i] < 3 ==> v[i] := v[i] + 1; c := c + 1; end; end;
invariant c < 850;
