-- expect: 17:8: error: cannot assign cell to a variable of type node
--

type node: scalarset(3);
var p: node;
    q: node;
type cell: scalarset(3);
var c: cell;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  p := c;
end;
