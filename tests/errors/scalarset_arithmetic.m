-- expect: 15:8: error: an element of the scalarset node cannot be an operand of "+"
-- hint: the elements of a scalarset are interchangeable: they are only compared with = and !=, assigned, and used as indices

type node: scalarset(3);
var p: node;
    q: node;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := p + 1;
end;
