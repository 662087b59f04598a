-- expect: 13:10: error: the parameter "a" has type 0..3, not boolean
--

function f(a: 0..3): 0..3; begin return a; end;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := f(true);
end;
