-- violated 4
-- Each thread starts at most one other; the fourth raises the counter beyond its range.
const N: 2;
type
  Thread: scalarset(N);
  Place: enum { Unborn, Fresh, Tired };
var
  started: 0..2;
  pc: array [Thread] of Place;
ruleset first: Thread do startstate begin
  started := 0;
  for t: Thread do pc[t] := Unborn; end;
  pc[first] := Fresh;
end; end;
ruleset t: Thread; u: Thread do
  rule "start" pc[t] = Fresh & pc[u] = Unborn ==> started := started + 1; pc[t] := Tired; pc[u] := Fresh; end;
end;
