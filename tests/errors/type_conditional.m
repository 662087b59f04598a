-- expect: 12:8: error: the values of ?: differ in type: integer and boolean
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := x = 1 ? 2 : false;
end;
