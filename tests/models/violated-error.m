-- An error statement behind a condition.
--
-- noether: verdict=violated kind=error property="C has no successor" trace_length=3
-- noether: rumur=yes
type E: enum { A, B, C };
var e: E;
startstate begin e := A; end;
rule "next" begin
  switch e case A: e := B; case B: e := C; else error "C has no successor"; end;
end;
