-- expect: 12:7: error: an operand of "!" must be boolean, not 0..3
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if !x then x := 0; end;
end;
