-- expect: 13:3: error: cannot assign to this: it is not a variable
--

function f(): 0..3; begin return 1; end;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  f() := 0;
end;
