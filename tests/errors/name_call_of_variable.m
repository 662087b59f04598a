-- expect: 12:8: error: "x" is not a function
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := x(1);
end;
