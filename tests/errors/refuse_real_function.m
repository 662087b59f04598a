-- expect: 12:8: error: the real function "sqrt" is not supported
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := sqrt(4);
end;
