-- A shared multiset whose elements are arrays over the processes: their cells had two places in the order of the variables.
type
  P: scalarset(2);
  Map: array [P] of P;
  Place: enum { idle, busy, done, gone };
var
  at: array [P] of Place;
  deep: array [P] of 0..3;
  far: array [P] of 0..30;
  bag: multiset [2] of Map;

startstate "start"
begin
  for p: P do
    at[p] := idle;
    deep[p] := 0;
    far[p] := 0;
  end;
end;

ruleset p: P do
  rule "add"
    at[p] = idle & multisetcount(i: bag, true) < 2
  ==>
  var map: Map;
  begin
    at[p] := busy;
    for q: P do
      map[q] := p;
    end;
    multisetadd(map, bag);
  end;
end;

invariant "few" multisetcount(i: bag, true) <= 2;
