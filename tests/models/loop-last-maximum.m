-- The last of those with the maximum: the order of the loop decides, so the symmetry of P is not used. With it, only one
-- of the two elements that can be meant would be found.
--
-- noether: verdict=violated deadlock=off kind=invariant property="the owner is not marked" trace_length=3
-- noether: rumur=yes
type P: scalarset(2); R: 0..1;
var x: array [P] of R; most: R; owner: P; mark: P;
ruleset m: P do
  startstate begin for p: P do x[p] := 0; end; most := 0; mark := m; undefine owner; end;
end;
ruleset p: P do rule "raise" x[p] = 0 ==> begin x[p] := 1; end; end;
rule "find" forall p: P do x[p] = 1 end ==> begin
  most := 0;
  for p: P do if x[p] >= most then most := x[p]; owner := p; end; end;
end;
invariant "the owner is not marked" isundefined(owner) | owner != mark;
