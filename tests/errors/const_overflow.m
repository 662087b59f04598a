-- expect: 5:10: error: the value does not fit 64 bits
--

const n: 9223372036854775807;
      m: n + 1;
var
  x: 0..3;

startstate
  x := 0;
end;
