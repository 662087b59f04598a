-- The resource controller of A. P. Sistla and P. Godefroid (TOPLAS 2004), as used in T. Wahl, "Adaptive Symmetry
-- Reduction" (CAV 2007), Section 9: K classes of priority, class 1 the highest. The first K-1 have SIZE
-- processes each, the last one has the rest. The server grants the resource to one of the highest class that asks.
const
  PROCS: 18;
  CLASSES: 9;
  SIZE: 2;

type
  Proc: 1..PROCS;
  Class: 1..CLASSES;
  Place: enum { N, T, G, C, D };

var
  s: array [Proc] of Place;
  free: boolean;
  class: array [Proc] of Class;

startstate
begin
  free := true;
  for i: Proc do
    s[i] := N;
    class[i] := ((i - 1) / SIZE < CLASSES) ? (i - 1) / SIZE + 1 : CLASSES;
  end;
end;

ruleset i: Proc do
  rule "ask" s[i] = N & free ==>
  begin
    s[i] := T;
  end;

  rule "grant"
    s[i] = T & free & forall j: Proc do class[j] < class[i] -> s[j] != T end
  ==>
  begin
    s[i] := G;
    free := false;
  end;

  rule "use" s[i] = G & !free ==>
  begin
    s[i] := C;
  end;

  rule "done" s[i] = C & !free ==>
  begin
    s[i] := D;
  end;

  rule "release" s[i] = D & !free ==>
  begin
    s[i] := N;
    free := true;
  end;
end;

invariant "whoever uses the resource has it"
  forall i: Proc do s[i] = C -> !free end;
