-- expect: 12:3: error: unknown name "X"
-- hint: did you mean "x"?

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  X := 1;
end;
