-- Messages that name interchangeable processes, in a multiset: both symmetries at once.
--
-- noether: verdict=holds states=125 canonical=25 rules=450 canonical_rules=92
-- noether: rumur=no
const N: 3;
type
  P: scalarset(N);
  M: record src, dst: P; ack: boolean; end;
var
  net: multiset [N] of M;
  busy: array [P] of boolean;
startstate begin
  undefine net;
  for p: P do busy[p] := false; end;
end;
ruleset p: P; q: P do
  rule "send" !busy[p] & p != q ==> var m: M; begin
    m.src := p; m.dst := q; m.ack := false;
    busy[p] := true;
    multisetadd(m, net);
  end;
end;
choose i: net do
  alias m: net[i] do
    rule "answer" !m.ack ==> var r: M; begin
      r.src := m.dst; r.dst := m.src; r.ack := true;
      multisetremove(i, net);
      multisetadd(r, net);
    end;
    rule "done" m.ack ==> begin
      busy[m.dst] := false;
      multisetremove(i, net);
    end;
  end;
end;
invariant "one each" multisetcount(i: net, true) <= N;
invariant "busy" forall p: P do busy[p] = (multisetcount(i: net, (net[i].ack ? net[i].dst : net[i].src) = p) = 1) end;
