-- expect: 12:22: error: the step is 0
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  for i := 0 to 3 by 0 do x := i; end;
end;
