-- expect: 15:8: error: cannot assign integer to a variable of type node
-- hint: the elements of a scalarset have no numbers: use a parameter or a loop variable of that type

type node: scalarset(3);
var p: node;
    q: node;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  p := 1;
end;
