-- After 90,000 states values come that take more than 64 bits together.
const K: 6;
type big: 0..1000000000; idx: 0..K-1;
var c: 0..299; d: 0..299; b: array[idx] of big; n: array[idx] of 0..7;
startstate "s" begin c := 0; d := 0; for i: idx do b[i] := 0; n[i] := 0; end; end;
rule "c" c < 299 ==> begin c := c + 1; end;
rule "d" d < 299 ==> begin d := d + 1; end;
ruleset i: idx do rule "b" c = 299 & d = 299 & n[i] < 7 ==> begin n[i] := n[i] + 1; b[i] := (b[i] * 7 + 12345 + 77777 * i) % 99999989; end; end;
invariant "c" c <= 299;
