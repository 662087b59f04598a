-- A property inside a ruleset that fails for one choice of the parameters.
--
-- noether: verdict=violated kind=invariant property="low" trace_length=4
-- noether: rumur=yes
type P: scalarset(3);
var n: array [P] of 0..2;
startstate begin for p: P do n[p] := 0; end; end;
ruleset p: P do
  rule "inc" n[p] < 2 ==> begin n[p] := n[p] + 1; end;
  rule "dec" n[p] > 0 ==> begin n[p] := n[p] - 1; end;
  invariant "low" n[p] < 2 | exists q: P do n[q] = 0 end;
end;
