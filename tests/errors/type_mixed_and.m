-- expect: 12:10: error: an operand of "&" must be an integer, not boolean
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if x & true then x := 0; end;
end;
