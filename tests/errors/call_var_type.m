-- expect: 13:5: error: the VAR parameter "a" has type 0..5, not 0..3
--

procedure p(var a: 0..5); begin a := 5; end;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  p(x);
end;
