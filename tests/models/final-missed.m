-- final, violated: one is left over, in a state where a final condition cannot be evaluated.
--
-- noether: verdict=violated kind=deadlock trace_length=2
-- noether: rumur=no
type node: scalarset(3);
var done: array [node] of boolean;
    last: 0..3;
    final: 0..3;
startstate begin for n: node do done[n] := false end; final := 0; end;
ruleset n: node do
  rule "finish" !done[n] & final < 2 ==> begin
    done[n] := true;
    final := final + 1;
  end;
end;
final "nobody is last" last = 0;
final "all are done" exists n: node do done[n] end;
invariant "counted" final <= 3;
