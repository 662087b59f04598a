-- A token goes around; the ring has no symmetry that the formulas keep.
const N: 4;
type
  Node: 0..N-1;
  Loc: enum { Receive, Note, Send };
var
  has: array [Node] of boolean;
  loc: array [Node] of Loc;
  at: Node;

startstate begin
  for i: Node do has[i] := i = 0; loc[i] := Receive end;
  at := 0;
end;

ruleset i: Node do
  rule "receive" loc[i] = Receive & has[i] ==> begin has[i] := false; loc[i] := Note end;
  rule "note" loc[i] = Note ==> begin at := i; loc[i] := Send end;
  rule "send" loc[i] = Send & !has[(i + 1) % N] ==> begin has[(i + 1) % N] := true; loc[i] := Receive end;
end;

ltl "visit2" G F at = 2;
ltl "stay" F G at = 2;
