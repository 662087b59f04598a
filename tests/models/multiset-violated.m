-- A violation whose trace passes through chosen elements.
--
-- noether: verdict=violated kind=invariant property="never two at two" trace_length=4
-- noether: rumur=no
type M: record n: 0..3; end;
var net: multiset [2] of M; top: 0..3;
procedure Send(n: 0..3); var m: M; begin m.n := n; multisetadd(m, net); end;
startstate begin undefine net; Send(0); Send(0); top := 0; end;
choose i: net do
  rule "step" net[i].n < 3 ==> var k: 0..3; begin
    k := net[i].n + 1;
    multisetremove(i, net);
    Send(k);
    if k > top then top := k; end;
  end;
end;
rule "restart" multisetcount(i: net, net[i].n = 3) = 2 ==> begin
  multisetremovepred(i: net, true);
  Send(0); Send(0); top := 0;
end;
invariant "never two at two" multisetcount(i: net, net[i].n = 2) < 2;
