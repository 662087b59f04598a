-- A ticket lock for any number of processes: in place of numbers, which would have to be as many as there are
-- processes, the order in which tickets were drawn.
const
  N: 3;
type
  Process: scalarset(N);
  Place: enum { Outside, Waiting, Inside };
var
  place: array [Process] of Place;
  before: array [Process] of array [Process] of boolean;   -- before[p][q]: q has an older ticket

startstate "Nobody"
begin
  for p: Process do
    place[p] := Outside;
    for q: Process do before[p][q] := false; end;
  end;
end;

ruleset p: Process do
  rule "Draw a ticket" place[p] = Outside ==>
  begin
    for q: Process do before[p][q] := place[q] != Outside; end;
    place[p] := Waiting;
  end;

  rule "Enter" place[p] = Waiting & forall q: Process do !before[p][q] end ==>
  begin
    place[p] := Inside;
  end;

  rule "Leave" place[p] = Inside ==>
  begin
    for q: Process do before[q][p] := false; end;
    place[p] := Outside;
  end;
end;

invariant "One at a time"
  forall p: Process do forall q: Process do p != q & place[p] = Inside -> place[q] != Inside end end;
