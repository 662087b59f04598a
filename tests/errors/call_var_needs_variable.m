-- expect: 13:5: error: the VAR parameter "a" needs a variable that can be changed
--

procedure p(var a: 0..3); begin a := 0; end;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  p(x + 1);
end;
