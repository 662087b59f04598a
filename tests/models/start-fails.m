-- Every start state fails: no process is ever anywhere, which counters have to bear.
--
-- noether: verdict=violated states=0 canonical=0
-- noether: rumur=no
type Process: scalarset(3);
var at: array [Process] of boolean; owner: Process;

ruleset first: Process do
  startstate begin
    for p: Process do at[p] := false; end;
    owner := first;
    assert "never true" at[owner];
  end;
end;

ruleset p: Process do
  rule "arrive" !at[p] ==> begin at[p] := true; end;
end;

