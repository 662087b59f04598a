-- expect: 5:10: error: the value of a constant must be a constant
--

function f(): 0..3; begin return 1; end;
const n: f();
var
  x: 0..3;

startstate
  x := 0;
end;
