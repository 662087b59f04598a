-- expect: 5:22: error: the size of a scalarset must be a constant
--

var x: 0..3;
type node: scalarset(x);
startstate
  x := 0;
end;
