-- expect: 14:6: error: the result of this call is used beside another call
-- hint: assign one of them to a local variable first

type r: record a: 0..3; end;
function f(a: 0..3): r; var m: r; begin m.a := a; return m; end;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if f(1) = f(2) then x := 0; end;
end;
