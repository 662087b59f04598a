-- expect: 15:6: error: cannot compare node with integer
-- hint: the elements of a scalarset have no numbers

type node: scalarset(3);
var p: node;
    q: node;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if p = 1 then x := 0; end;
end;
