-- expect: 16:6: error: an element of the scalarset node cannot be an operand of "<"
-- hint: the elements of a scalarset are interchangeable: they are only compared with = and !=, assigned, and used as indices

type node: scalarset(3);
     home: enum { here };
     any: union { node, home };
var u, v: any;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if u < v then x := 0; end;
end;
