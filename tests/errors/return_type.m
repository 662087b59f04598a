-- expect: 4:34: error: cannot return boolean from a function of type 0..3
--

function f(): 0..3; begin return true; end;
var
  x: 0..3;

startstate
  x := 0;
end;
