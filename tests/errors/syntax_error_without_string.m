-- expect: 12:9: error: expected a string after error, found "x"
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  error x;
end;
