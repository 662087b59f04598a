-- expect: 14:16: error: the VAR parameter "a" needs a variable that can be changed
--

var
  x: 0..3;

startstate
  x := 0;
end;

procedure p(var a: 0..3); begin a := 0; end;

ruleset i: 0..3 do
  rule begin p(i); end;
end;
