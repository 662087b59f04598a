-- The formula names elements: it is true of all sorted states, and false.
type Cell: 0..1;
var x: array [Cell] of 0..1;

startstate begin for c: Cell do x[c] := 0 end end;

ruleset c: Cell do
  rule "up" x[c] = 0 ==> begin x[c] := 1 end;
end;

ltl "sorted" G x[0] <= x[1];
ltl "reversed" G x[0] >= x[1];
