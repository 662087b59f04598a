-- expect: 15:8: error: cannot assign node to a variable of type 0..3
--

type node: scalarset(3);
var p: node;
    q: node;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := p;
end;
