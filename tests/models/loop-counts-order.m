-- The first iteration finds the multiset empty, and no other does: P is not symmetric, though only what is counted says so.
--
-- noether: verdict=holds states=4 canonical=4 rules=4 canonical_rules=4
-- noether: rumur=no
type P: scalarset(3);
var net: multiset [3] of P; last: P;
startstate begin undefine net; undefine last; end;
rule "first" multisetcount(i: net, true) = 0 ==> begin
  for p: P do
    if multisetcount(i: net, net[i] != p) = 0 then multisetadd(p, net); end;
  end;
end;
choose i: net do
  rule "take" begin last := net[i]; multisetremove(i, net); end;
end;
