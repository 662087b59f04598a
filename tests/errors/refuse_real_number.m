-- expect: 4:13: error: real numbers are not supported
-- hint: scale the values to integers

const step: 0.5;
var
  x: 0..3;

startstate
  x := 0;
end;
