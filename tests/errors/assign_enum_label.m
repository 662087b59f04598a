-- expect: 13:3: error: cannot assign to "red": it is a constant
--

type colour: enum { red, green };
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  red := green;
end;
