-- expect: 15:8: error: cannot assign shade to a variable of type colour
--

type colour: enum { red, green };
     shade: enum { dark, light };
var c: colour;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  c := dark;
end;
