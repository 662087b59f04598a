type
  key: enum { a, b, c };
  low: -2147483647..-2147483645;
var
  on: array [low] of key;
startstate
begin
  for i: low do on[i] := a; end;
end;
ruleset i: low do
  rule "on" !(i = -2147483647) ==> on[i] := b; end;
end;
invariant "the first is off" on[-2147483647] = a;
