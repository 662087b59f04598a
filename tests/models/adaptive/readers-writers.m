-- Readers and writers, asymmetric: the running example of T. Wahl, "Adaptive Symmetry Reduction" (CAV 2007), Figure 1.
-- Processes 1..R read, the others write. A reader may join other readers as long as no writer is inside.
const
  R: 2;
  W: 1;

type
  Proc: 1..R+W;
  Place: enum { N, T, C };

var
  s: array [Proc] of Place;

startstate
begin
  for i: Proc do s[i] := N; end;
end;

ruleset i: Proc do
  rule "try" s[i] = N ==>
  begin
    s[i] := T;
  end;

  rule "enter alone" s[i] = T & forall j: Proc do s[j] != C end ==>
  begin
    s[i] := C;
  end;

  rule "join the readers" s[i] = T & i <= R & forall j: Proc do j > R -> s[j] != C end ==>
  begin
    s[i] := C;
  end;

  rule "leave" s[i] = C ==>
  begin
    s[i] := N;
  end;
end;

invariant "a writer is alone"
  forall i: Proc do
    i > R & s[i] = C -> forall j: Proc do j != i -> s[j] != C end
  end;
