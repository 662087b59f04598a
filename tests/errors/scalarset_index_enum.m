-- expect: 9:5: error: the index is Colour, but the array is indexed by Node
--
type
  Node: scalarset(2);
  Colour: enum { Red, Green };
var a: array [Node] of boolean;
startstate begin for n: Node do a[n] := false; end; end;
rule begin
  a[Red] := true;
end;
