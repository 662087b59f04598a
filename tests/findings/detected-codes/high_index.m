type
  high: 2147483645..2147483647;
  part: 2147483646..2147483647;
var
  on: array [high] of boolean;
  last: part;
startstate
begin
  for i: high do on[i] := false; end;
  last := 2147483647;
end;
ruleset i: high do
  rule "on" i > 2147483645 ==> on[i] := true; last := i; end;
  rule "off" i = last ==> on[i] := false; end;
end;
invariant "never all" exists i: high do !on[i] end;
