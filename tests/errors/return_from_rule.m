-- expect: 12:10: error: a rule does not return a value
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  return 3;
end;
