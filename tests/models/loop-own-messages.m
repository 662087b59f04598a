-- Each iteration removes its own elements from a multiset, after a look at them: P keeps its symmetry.
--
-- noether: verdict=holds states=216 canonical=44 rules=640 canonical_rules=136
-- noether: rumur=no
type P: scalarset(3);
  Msg: record dst: P; src: P; end;
var net: multiset [3] of Msg; had: array [P] of boolean; sum: 0..3;
procedure drop(p: P); begin multisetremovepred(i: net, net[i].dst = p & net[i].src != p); end;
startstate begin undefine net; sum := 0; for p: P do had[p] := false; end; end;
ruleset p: P; q: P do
  rule "send" p != q & multisetcount(i: net, net[i].dst = q) = 0 ==>
  var m: Msg;
  begin
    m.dst := q; m.src := p;
    multisetadd(m, net);
  end;
end;
rule "sweep" multisetcount(i: net, true) > 0 ==> begin
  sum := 0;
  for p: P do
    had[p] := multisetcount(i: net, p = net[i].dst) > 0;
    if had[p] then sum := sum + 1; drop(p); end;
  end;
end;
invariant "one each" sum <= 3 & forall p: P do multisetcount(i: net, net[i].dst = p) <= 1 end;
