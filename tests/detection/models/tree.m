-- A tree of three levels, node 1 at its root: children of a node are interchangeable with all below them.
--
-- detect: order=8 Node{2,3,4,5,6,7}=wreath
type Node: 1..7;
var on: array [Node] of boolean;
startstate begin for i: Node do on[i] := false; end; end;
ruleset i: Node do
  rule "root" i = 1 & !on[i] ==> begin on[i] := true; end;
  rule "wake" i > 1 & !on[i] ==> begin if on[i / 2] then on[i] := true; end; end;
end;
