-- expect: 11:17: error: expected an expression, found "begin"
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule (x = 1) -> begin
  x := 0;
end;
