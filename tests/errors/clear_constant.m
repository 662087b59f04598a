-- expect: 13:9: error: cannot clear "N": it is a constant
--

const N: 3;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  clear N;
end;
