-- Four cells of 20,001 count: 10^4 states of 40,002 bits.
var v: array[0..20000] of 0..3; c: array[1..4] of 0..9;
startstate for i: 0..20000 do v[i] := i % 4; end; for i: 1..4 do c[i] := 0; end; end;
ruleset i: 1..4 do rule c[i] < 9 ==> c[i] := c[i] + 1; v[5000 * i] := (v[5000 * i] + 1) % 4; end; end;
