-- expect: 16:5: error: the index is integer, but the array is indexed by node
-- hint: the elements of a scalarset have no numbers

type node: scalarset(3);
var p: node;
    q: node;
    a: array [node] of 0..3;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  a[1] := 0;
end;
