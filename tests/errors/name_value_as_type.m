-- expect: 5:8: error: "n" is not a type
--

const n: 3;
var y: n;
var
  x: 0..3;

startstate
  x := 0;
end;
