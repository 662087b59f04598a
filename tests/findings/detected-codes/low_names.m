type
  key: enum { a, b, c, d };
  low: -2147483647..-2147483646;
var
  bag: multiset [2] of low;
  now: key;
startstate begin now := a; end;
ruleset k: key do
  rule "turn" now := k; end;
end;
ruleset i: low do
  invariant "not the last" i != -2147483646;
end;
