-- final: the protocol may end where all are done. The conditions are not evaluated in other states (there, `last` is
-- undefined), and `final` is an ordinary name where a declaration can stand.
--
-- noether: verdict=holds states=8 canonical=4 rules=12 canonical_rules=6
-- noether: verdict=holds deadlock=stuck states=8 canonical=4 rules=12 canonical_rules=6
-- noether: rumur=no
type node: scalarset(3);
var done: array [node] of boolean;
    last: 0..3;
    final: 0..3;
startstate begin for n: node do done[n] := false end; final := 0; end;
ruleset n: node do
  rule "finish" !done[n] ==> begin
    done[n] := true;
    final := final + 1;
    if final = 3 then last := final; end;
  end;
end;
final "nobody is last" last = 0;
final "all are done" forall n: node do done[n] end;
invariant "counted" final <= 3;
