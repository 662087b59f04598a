-- A violation found through the quotient: its trace must be a run of the model, with the same processes throughout.
--
-- noether: verdict=violated kind=invariant property="no chain of three" trace_length=3
-- noether: rumur=yes
const N: 4;
type P: scalarset(N);
var waits: array [P] of P; owner: P;
ruleset p: P do startstate "own" begin undefine waits; owner := p; end; end;
ruleset p: P; q: P do
  rule "wait" p != q & isundefined(waits[p]) & (owner = q | !isundefined(waits[q])) ==> begin waits[p] := q; end;
end;
ruleset p: P do
  rule "pass" !isundefined(waits[p]) & waits[p] = owner ==> begin waits[owner] := p; undefine waits[p]; owner := p; end;
end;
invariant "no chain of three"
  !exists a: P do exists b: P do exists c: P do
    !isundefined(waits[a]) & !isundefined(waits[b]) & !isundefined(waits[c]) &
    waits[a] = b & waits[b] = c & waits[c] = owner & a != owner & b != owner
  end end end;
