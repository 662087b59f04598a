-- expect: 12:3: error: expected a statement, found "*"
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  * x;
end;
