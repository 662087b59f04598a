-- A ring built at run time by choosing successors: id-sensitive everywhere.
--
-- noether: verdict=holds states=88 canonical=5 rules=172 canonical_rules=12
-- noether: rumur=yes
const N: 4;
type P: scalarset(N);
var succ: array [P] of P; token: P; phase: 0..1; members: array [P] of boolean;
ruleset p: P do
  startstate begin
    for q: P do undefine succ[q]; members[q] := false; end;
    succ[p] := p; members[p] := true; token := p; phase := 0;
  end;
end;
ruleset p: P do
  rule "join" phase = 0 & !members[p] ==> begin
    succ[p] := succ[token]; succ[token] := p; members[p] := true;
  end;
end;
rule "pass" begin token := succ[token]; end;
rule "close" phase = 0 & forall p: P do members[p] end ==> begin phase := 1; end;
invariant "in the ring" members[token];
invariant "one predecessor" forall p: P do forall q: P do
  members[p] & members[q] & p != q -> succ[p] != succ[q] end end;
