-- Pointers among four, and a counter: chains of references are where canonical representatives cost most.
const K: 400;
type P: 1..4;
var next: array [P] of P; c: 0..K;
startstate begin for p: P do next[p] := p; end; c := 0; end;
ruleset p: P; q: P do
  rule "point" next[p] != q & c % 3 = 0 ==> begin next[p] := q; end;
end;
rule "count" begin c := (c + 1) % (K + 1); end;
