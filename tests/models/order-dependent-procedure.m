-- The dependence on the order hides in a procedure that the loop calls; one element is special.
--
-- noether: verdict=violated kind=invariant property="the special one is not first" trace_length=1
-- noether: rumur=yes
const N: 3;
type P: scalarset(N);
var first: P; special: P; n: 0..1;
procedure Note(p: P); begin if isundefined(first) then first := p; end; end;
ruleset s: P do startstate begin special := s; n := 0; end; end;
rule "all" n = 0 ==> begin for p: P do Note(p); end; n := 1; end;
rule "again" n = 1 ==> begin undefine first; n := 0; end;
invariant "the special one is not first" isundefined(first) | first != special;
