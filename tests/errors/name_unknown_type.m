-- expect: 4:8: error: unknown type "Colour"
--

var y: Colour;
startstate
  x := 0;
end;
