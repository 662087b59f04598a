-- expect: 13:8: error: "f" takes 1 argument, not 2
--

function f(a: 0..3): 0..3; begin return a; end;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := f(1, 2);
end;
