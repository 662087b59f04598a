-- expect: 5:8: error: unknown type "Color"
-- hint: did you mean "Colour"?

type Colour: enum { red, green };
var y: Color;
    x: 0..3;
startstate
  x := 0;
end;
