-- A loop over a scalarset that fills a queue: the contents depend on the order.
--
-- noether: verdict=violated kind=invariant trace_length=1
-- noether: rumur=yes
const N: 3;
type P: scalarset(N);
var queue: array [0..N] of P; n: 0..N; special: P;
ruleset s: P do startstate begin special := s; n := 0; end; end;
rule "fill" n = 0 ==> begin for p: P do queue[n] := p; n := n + 1; end; end;
rule "empty" n = N ==> begin undefine queue; n := 0; end;
invariant "the special one is not in front" n = 0 | queue[0] != special;
invariant "the special one is not at the back" n = 0 | queue[N - 1] != special;
