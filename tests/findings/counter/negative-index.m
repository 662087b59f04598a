-- A local state has a part with a negative index: its name, in what reduce writes, must be a name.
type
  Node: scalarset(3);
  Slot: -1..0;
var
  mark: array [Node] of array [Slot] of Slot;

startstate "none is marked"
begin
  for n: Node do for s: Slot do mark[n][s] := -1 end end
end;

ruleset n: Node do
  rule "mark the first"
    mark[n][-1] = -1
  ==>
  begin
    mark[n][-1] := 0
  end
end;

invariant "the second is never marked" forall n: Node do mark[n][0] = -1 end;
