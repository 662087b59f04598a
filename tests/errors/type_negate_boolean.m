-- expect: 12:9: error: an operand of "-" must be an integer, not boolean
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := -true;
end;
