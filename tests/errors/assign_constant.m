-- expect: 13:3: error: cannot assign to "N": it is a constant
--

const N: 3;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  N := 4;
end;
