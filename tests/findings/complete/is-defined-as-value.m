-- A boolean takes whether a variable is undefined, and is compared later: the condition is about that variable alone.
type
  id: scalarset(2);

var
  owner: id;
  free: boolean;
  seen: boolean;
  low: boolean;
  at: array [id] of enum { idle, busy };

ruleset i: id do
  startstate "start"
  begin
    free := true;
    seen := false;
    low := true;
    for j: id do at[j] := idle; end;
  end;
end;

rule "look"
begin
  free := low & isundefined(owner);
end;

rule "raise"
begin
  low := true;
  free := true;
end;

rule "lower"
  free & seen
==>
begin
  low := false;
end;

ruleset i: id do
  rule "own"
    seen
  ==>
  begin
    owner := i;
    free := false;
  end;
end;

rule "see"
  free
==>
begin
  seen := !seen;
end;

ruleset i: id do
  rule "work"
    at[i] = idle
  ==>
  begin
    at[i] := busy;
  end;
end;

invariant "free or not" free | !free;
