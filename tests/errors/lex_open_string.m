-- expect: 11:6: error: the string is not closed on its line
-- hint: end it with "

var
  x: 0..3;

startstate
  x := 0;
end;

rule "step begin x := 1; end;
