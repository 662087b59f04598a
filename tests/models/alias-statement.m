-- An alias denotes the place chosen when it was bound, also when the index changes later.
--
-- noether: verdict=holds states=10 canonical=10 rules=20 canonical_rules=20
-- noether: rumur=yes
type Cell: record v: 0..3; end;
var m: array [0..1] of Cell; n: 0..1;
startstate begin m[0].v := 0; m[1].v := 1; n := 0; end;
rule "bind" begin
  alias c: m[n].v do
    n := 1 - n;
    c := (c + 1) % 4;
    alias d: m[n].v do d := c; end;
  end;
end;
rule "turn" begin n := 1 - n; end;
