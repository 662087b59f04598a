-- expect: 13:5: error: UNDEFINED cannot be passed to the VAR parameter "a"
--

procedure p(var a: 0..3); begin a := 0; end;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  p(undefined);
end;
