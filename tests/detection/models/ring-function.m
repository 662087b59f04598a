-- A ring given by a function with cases, looked up in both directions, and two messages: rotations and reflections.
--
-- detect: order=12 Node{*}=dihedral
const n: 6;
type Node: 0..n - 1;
var full: array [Node] of boolean;
function next(i: Node): Node; begin if i = n - 1 then return 0; end; return i + 1; end;
function prev(i: Node): Node; begin return (i + n - 1) % n; end;
ruleset a: Node; b: Node do startstate begin for i: Node do full[i] := i = a | i = b; end; end; end;
ruleset i: Node do
  rule "right" full[i] & !full[next(i)] ==> begin full[i] := false; full[next(i)] := true; end;
  rule "left" full[i] & !full[prev(i)] ==> begin full[i] := false; full[prev(i)] := true; end;
end;
