-- expect: 12:18: error: cannot assign to "i": it is a loop variable
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  for i: 0..3 do i := 0; end;
end;
