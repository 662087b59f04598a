-- expect: 15:8: error: unknown name "node_1"
-- hint: the elements of a scalarset have no names: they are interchangeable

type node: scalarset(3);
var p: node;
    q: node;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  p := node_1;
end;
