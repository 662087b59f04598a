-- expect: 14:6: error: an operand of "<" must be an integer, not colour
--

type colour: enum { red, green };
var c: colour;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if c < green then x := 0; end;
end;
