-- expect: 5:10: error: the value of a constant must be a constant
--

var x: 0..3;
const n: x;
startstate
  x := 0;
end;
