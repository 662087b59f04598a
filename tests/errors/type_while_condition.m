-- expect: 12:9: error: the condition of a while must be boolean, not integer
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  while x + 1 do x := 0; end;
end;
