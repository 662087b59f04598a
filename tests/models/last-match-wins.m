-- The loop takes the last match by plain assignment: it depends on the order as well.
--
-- noether: verdict=violated kind=invariant property="the special one is not chosen" trace_length=1
-- noether: rumur=yes
const N: 3;
type P: scalarset(N);
var want: array [P] of boolean; special: P; chosen: P;
ruleset s: P do
  startstate "all want" begin for p: P do want[p] := true; end; special := s; end;
end;
rule "choose" isundefined(chosen) ==> begin
  for p: P do if want[p] then chosen := p; end; end;
end;
rule "again" !isundefined(chosen) ==> begin undefine chosen; end;
invariant "the special one is not chosen" isundefined(chosen) | chosen != special;
