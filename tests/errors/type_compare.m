-- expect: 12:6: error: cannot compare 0..3 with boolean
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if x = true then x := 0; end;
end;
