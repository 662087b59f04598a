-- expect: 4:29: error: a procedure does not return a value
--

procedure p(); begin return 1; end;
var
  x: 0..3;

startstate
  x := 0;
end;
