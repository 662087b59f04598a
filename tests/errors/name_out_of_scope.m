-- expect: 13:8: error: unknown name "i"
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  for i: 0..3 do x := i; end;
  x := i;
end;
