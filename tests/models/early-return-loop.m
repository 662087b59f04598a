-- A function that returns from inside a loop over a scalarset: the first match again.
--
-- noether: verdict=violated kind=invariant property="not the special one" trace_length=1
-- noether: rumur=yes
const N: 3;
type P: scalarset(N);
var on: array [P] of boolean; special: P; found: P;
function Find(): P; begin
  for p: P do if on[p] then return p; end; end;
  return special;
end;
ruleset s: P do startstate begin for p: P do on[p] := true; end; special := s; end; end;
rule "find" isundefined(found) ==> begin found := Find(); end;
rule "again" !isundefined(found) ==> begin undefine found; end;
invariant "not the special one" isundefined(found) | found != special;
