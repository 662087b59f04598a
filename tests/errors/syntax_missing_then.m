-- expect: 12:12: error: expected "then" after the condition, found "x"
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if x = 1 x := 2; end;
end;
