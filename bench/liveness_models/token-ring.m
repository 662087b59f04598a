-- A token goes around a ring; the node that has it may use the resource once, and passes it on. Nodes that do not have it
-- rest, are busy with something else, or want it. The ring has rotations only.
--
-- "served" holds under weak fairness of nodes; without, two nodes may be busy and rest for ever while nobody else moves.
-- token-ring.pml is the same system for SPIN.

const N: 3;

type
  Node: 0..N-1;
  Place: enum { Rest, Busy, Want, Use };

var
  at: array [Node] of Place;
  token: Node;

ruleset i: Node do
  startstate begin
    for j: Node do at[j] := Rest end;
    token := i;
  end;
end;

ruleset i: Node do
  rule "busy" at[i] = Rest & token != i ==> begin at[i] := Busy end;
  rule "rest" at[i] = Busy & token != i ==> begin at[i] := Rest end;
  rule "want" at[i] = Rest & token != i ==> begin at[i] := Want end;
  rule "pass" token = i & (at[i] = Rest | at[i] = Busy) ==> begin token := (i + 1) % N end;
  rule "use" token = i & at[i] = Want ==> begin at[i] := Use end;
  rule "done" at[i] = Use ==> begin at[i] := Rest; token := (i + 1) % N end;
end;

ltl "served" forall i: Node do at[i] = Want leadsto at[i] = Use end;
