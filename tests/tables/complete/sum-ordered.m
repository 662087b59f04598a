-- a partial sum that leaves the type of t depends on the order of the processes: 1 + 2 + 3 - 6 passes 3 on the way
type P: 1..4;
var pc: array [P] of 0..1; x: array [P] of -6..3;
function total(): -20..5; var t: -20..5; begin t := 0; for p: P do t := t + x[p]; end; return t; end;
startstate for p: P do pc[p] := 0; x[p] := 0; end; end;
ruleset p: P do rule "set" pc[p] = 0 ==> if p = 4 then x[p] := -6; else x[p] := p; end; pc[p] := 1; end; end;
invariant "psi" total() <= 5;
