-- A ring of three counters: rotations only, and every representative is searched for.
const K: 55;
type P: 0..2;
var c: array [P] of 0..K;
startstate begin for p: P do c[p] := 0; end; end;
ruleset p: P do
  rule "count" c[p] < K & c[(p + 1) % 3] <= c[p] + 40 ==> begin c[p] := c[p] + 1; end;
  rule "fall" c[p] > c[(p + 1) % 3] + 20 ==> begin c[p] := c[(p + 1) % 3]; end;
end;
