-- expect: 5:8: error: the range 3..1 is empty
--

const n: 3;
var x: n..1;
startstate
  x := 0;
end;
