-- expect: 4:22: error: the size of a scalarset is 100000000; it must be from 1 to 1048576
--

type node: scalarset(100000000);
var
  x: 0..3;

startstate
  x := 0;
end;
