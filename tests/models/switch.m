-- switch: several values for a case, an else, no case that matches, nested, on booleans and ranges.
--
-- noether: verdict=holds states=16 canonical=16 rules=32 canonical_rules=32
-- noether: rumur=yes
type E: enum { A, B, C, D };
var e: E; n: 0..6;
startstate begin e := A; n := 0; end;
rule "step" begin
  switch e
    case A, B: n := 1;
      switch n case 1: n := 2; case 2: n := 3; end;
    case C: n := 4;
    else n := 5;
  end;
  switch n = 2 case true: n := 6; case false: end;
  switch n case 0: n := 1; end;
end;
rule "e" begin switch e case A: e := B; case B: e := C; case C: e := D; case D: e := A; end; end;
