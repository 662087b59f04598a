-- Two var parameters that are the same place; a global changed behind a reference.
--
-- noether: verdict=holds states=12 canonical=12 rules=36 canonical_rules=36
-- noether: rumur=yes
var x, y: 0..3;
procedure AddTo(var a: 0..3; var b: 0..3);
begin
  a := (a + 1) % 4;
  b := (b + 1) % 4;
  x := (x + b) % 4;
end;
startstate begin x := 0; y := 0; end;
rule "same" begin AddTo(x, x); end;
rule "other" begin AddTo(y, x); end;
rule "away" begin AddTo(y, y); end;
