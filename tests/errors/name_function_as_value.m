-- expect: 13:8: error: "f" is a function
-- hint: call it: f(...)

function f(): 0..3; begin return 1; end;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := f;
end;
