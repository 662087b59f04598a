-- A broadcast that looks whether there is room, and whether a node has a message already, keeps the symmetry of P: iterations
-- that only count do not depend on their order.
--
-- noether: verdict=holds states=135 canonical=26 rules=378 canonical_rules=73
-- noether: rumur=no
const N: 3;
type P: scalarset(N);
  Msg: record dst: P; src: P; end;
var net: multiset [2 * N] of Msg; busy: array [P] of boolean;
procedure send(p: P; q: P);
var m: Msg;
begin
  assert multisetcount(i: net, true) < 2 * N "no room";
  m.src := p; m.dst := q;
  multisetadd(m, net);
end;
startstate begin undefine net; for p: P do busy[p] := false; end; end;
ruleset p: P do
  rule "broadcast" !busy[p] & multisetcount(i: net, net[i].src = p) = 0 & multisetcount(i: net, true) <= N ==> begin
    for q: P do
      if q != p & multisetcount(i: net, net[i].dst = q) = 0 then send(p, q); end;
    end;
    busy[p] := true;
  end;
end;
choose i: net do
  rule "receive" begin busy[net[i].src] := false; multisetremove(i, net); end;
end;
invariant "one each" forall p: P do multisetcount(i: net, net[i].dst = p) <= 1 end;
