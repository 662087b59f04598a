-- An enum without a name in ismember is the one with these labels: it declares nothing.
--
-- noether: verdict=holds states=4 canonical=4 rules=8 canonical_rules=8
-- noether: rumur=no
type e: enum { A, B }; u: union { scalarset(2), e };
var x: u; k: enum { C, D };
startstate begin x := A; k := C; end;
rule begin k := ismember(k, enum { C, D }) & k = C ? D : C; end;
rule ismember(x, enum { A, B }) ==> begin x := B; end;
invariant ismember(x, enum { A, B });
