-- Aliases around rules: of an element chosen by a parameter, of a constant expression, of an alias.
--
-- noether: verdict=holds states=32 canonical=32 rules=104 canonical_rules=104
-- noether: rumur=yes
type Cell: record v: 0..2; lock: boolean; end;
var m: array [0..1] of Cell; n: 0..1;
startstate begin for i: 0..1 do m[i].v := 0; m[i].lock := false; end; n := 0; end;
ruleset i: 0..1 do
  alias c: m[i]; v: c.v; two: 2 do
    rule "inc" !c.lock & v < two ==> begin v := v + 1; end;
    rule "lock" v = two ==> begin c.lock := true; end;
  end;
end;
alias cur: m[n] do
  rule "move" cur.lock ==> begin cur.lock := false; cur.v := 0; n := 1 - n; end;
end;
rule "turn" begin n := 1 - n; end;
