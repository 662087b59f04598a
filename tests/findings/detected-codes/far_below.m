type high: 5..7;
var on: array [high] of boolean;
startstate
begin
  for i: high do on[i] := false; end;
end;
ruleset i: high do
  rule "on" i > -9223372036854775807 ==> on[i] := true; end;
end;
invariant "not all" exists i: high do !on[i] end;
