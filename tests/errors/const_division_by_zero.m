-- expect: 5:10: error: division by zero
--

const n: 3;
      m: n / (n - 3);
var
  x: 0..3;

startstate
  x := 0;
end;
