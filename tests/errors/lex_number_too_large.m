-- expect: 4:12: error: the number 99999999999999999999 does not fit 64 bits
--

const big: 99999999999999999999;
var
  x: 0..3;

startstate
  x := 0;
end;
