-- expect: 12:8: error: unknown name "next"
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := next(x);
end;
