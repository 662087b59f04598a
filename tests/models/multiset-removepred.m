-- multisetremovepred takes out all that match; multisetcount with a predicate on records.
--
-- noether: verdict=holds states=62 canonical=62 rules=164 canonical_rules=164
-- noether: rumur=no
type M: record kind: enum { Ping, Pong }; n: 0..1; end;
var net: multiset [3] of M; k: 0..1;
procedure Send(p: boolean; n: 0..1);
  var m: M;
begin
  if p then m.kind := Ping; else m.kind := Pong; end;
  m.n := n;
  multisetadd(m, net);
end;
startstate begin undefine net; k := 0; end;
rule "ping" multisetcount(i: net, true) < 3 ==> begin Send(true, k); end;
rule "pong" multisetcount(i: net, net[i].kind = Ping) > 0 & multisetcount(i: net, true) < 3 ==> begin Send(false, k); end;
rule "k" begin k := 1 - k; end;
rule "flush" multisetcount(i: net, net[i].n = k) > 1 ==> begin
  multisetremovepred(i: net, net[i].n = k & net[i].kind = Pong);
end;
rule "all" multisetcount(i: net, true) = 3 ==> begin multisetremovepred(i: net, net[i].kind = Ping); end;
