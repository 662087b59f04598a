-- expect: 12:12: error: expected an expression, found ";"
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := x + ;
end;
