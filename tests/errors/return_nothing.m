-- expect: 4:27: error: the function "f" must return a value
--

function f(): 0..3; begin return; end;
var
  x: 0..3;

startstate
  x := 0;
end;
