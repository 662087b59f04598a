-- Dining philosophers who all take the left fork first: rotations, and a deadlock that the invariant finds.
--
-- detect: order=5 Phil{*}=cyclic
const n: 5;
type Phil: 0..n - 1;
var fork: array [Phil] of boolean; has: array [Phil] of 0..2;
startstate begin for p: Phil do fork[p] := true; has[p] := 0; end; end;
ruleset p: Phil do
  rule "left" has[p] = 0 & fork[p] ==> begin fork[p] := false; has[p] := 1; end;
  rule "right" has[p] = 1 & fork[(p + 1) % n] ==> begin fork[(p + 1) % n] := false; has[p] := 2; end;
  rule "eaten" has[p] = 2 ==> begin has[p] := 0; fork[p] := true; fork[(p + 1) % n] := true; end;
end;
invariant "not all wait" exists p: Phil do has[p] != 1 end;
