-- Two processes that count: no representative stands for more than two states.
const K: 22;
type P: 1..2;
var c, d: array [P] of 0..K;
startstate begin for p: P do c[p] := 0; d[p] := 0; end; end;
ruleset p: P do
  rule "count" c[p] < K ==> begin c[p] := c[p] + 1; end;
  rule "follow" d[p] < c[p] ==> begin d[p] := d[p] + 1; end;
end;
