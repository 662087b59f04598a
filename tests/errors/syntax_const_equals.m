-- expect: 4:9: error: expected ":" after the name, found "="
-- hint: declarations are written NAME: value

const N = 3;
var
  x: 0..3;

startstate
  x := 0;
end;
