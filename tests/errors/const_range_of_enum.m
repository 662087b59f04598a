-- expect: 5:8: error: the lower bound of a range must be an integer, not c
--

type c: enum { a, b, d };
var x: a..b;
startstate
  x := 0;
end;
