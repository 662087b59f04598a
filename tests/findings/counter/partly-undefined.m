-- A record with an undefined field is passed by value, which every dialect allows; field by field, rumur's would stop.
type
  Node: scalarset(2);
  Pair: record left: boolean; right: 0..1; end;
var
  busy: array [Node] of boolean;
  pair: Pair;

function is_left(p: Pair): boolean;
begin
  return p.left
end;

startstate "half a pair"
begin
  for n: Node do busy[n] := false end;
  pair.left := true;
  undefine pair.right
end;

ruleset n: Node do
  rule "work" !busy[n] ==> begin busy[n] := is_left(pair) end
end;

ruleset n: Node do
  rule "rest" busy[n] ==> begin busy[n] := false end
end;

invariant "the pair has its left half" pair.left;
