-- expect: 12:6: error: the condition of an if must be boolean, not 0..3
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if x then x := 0; end;
end;
