-- A token goes round a ring. How the processes are wired is chosen first, and can be any function: rings are some of
-- them.
const
  N: 3;
type
  Process: scalarset(N);
  Place: enum { Outside, Waiting, Inside };
var
  place: array [Process] of Place;
  successor: array [Process] of Process;
  wired: boolean;
  token: Process;

ruleset p: Process do
  startstate "Not wired"
  begin
    for q: Process do place[q] := Outside; end;
    wired := false;
    token := p;
  end;
end;

ruleset p: Process; q: Process do
  rule "Wire" !wired ==>
  begin
    successor[p] := q;
  end;
end;

rule "Begin" !wired & forall p: Process do !isundefined(successor[p]) end ==>
begin
  wired := true;
end;

ruleset p: Process do
  rule "Want" wired & place[p] = Outside ==>
  begin
    place[p] := Waiting;
  end;

  rule "Enter" wired & place[p] = Waiting & token = p ==>
  begin
    place[p] := Inside;
  end;

  rule "Leave" wired & place[p] = Inside ==>
  begin
    place[p] := Outside;
    token := successor[p];
  end;

  rule "Pass on" wired & token = p & place[p] = Outside ==>
  begin
    token := successor[p];
  end;
end;

invariant "Mutual exclusion"
  forall p: Process do forall q: Process do p != q -> !(place[p] = Inside & place[q] = Inside) end end;
