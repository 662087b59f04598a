-- clear of a scalarset variable picks the first element: a named individual, so no symmetry on P. rumur accepts it and
-- uses the symmetry all the same; CMurphi refuses it.
--
-- noether: verdict=violated kind=invariant property="home is not special" trace_length=1
-- noether: rumur=yes
const N: 3;
type P: scalarset(N);
var p: P; special: P;
ruleset s: P do startstate begin special := s; end; end;
rule "home" isundefined(p) ==> begin clear p; end;
rule "again" !isundefined(p) ==> begin undefine p; end;
invariant "home is not special" isundefined(p) | p != special;
