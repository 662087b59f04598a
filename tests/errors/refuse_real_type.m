-- expect: 4:8: error: real types are not supported
-- hint: the state must be finite: use a range of integers

var t: real(4, 99);
var
  x: 0..3;

startstate
  x := 0;
end;
