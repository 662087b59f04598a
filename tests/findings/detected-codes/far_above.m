type low: -3..-1;
var on: array [low] of boolean;
startstate
begin
  for i: low do on[i] := false; end;
end;
ruleset i: low do
  rule "on" i < 9223372036854775807 ==> on[i] := true; end;
end;
invariant "not all" exists i: low do !on[i] end;
