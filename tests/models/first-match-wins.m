-- The loop takes the first match: which element that is depends on the numbering, so symmetry must not be used on P.
-- Both peers accept it; whether they find the violation depends on the representative they happen to pick.
--
-- noether: verdict=violated kind=invariant property="the special one is not chosen" trace_length=1
-- noether: rumur=yes
const N: 3;
type P: scalarset(N);
var want: array [P] of boolean; special: P; chosen: P;
ruleset s: P do
  startstate "all want" begin for p: P do want[p] := true; end; special := s; end;
end;
rule "choose" isundefined(chosen) ==> var found: boolean; begin
  found := false;
  for p: P do
    if want[p] & !found then chosen := p; found := true; end;
  end;
end;
rule "again" !isundefined(chosen) ==> begin undefine chosen; end;
invariant "the special one is not chosen" isundefined(chosen) | chosen != special;
