-- expect: 11:12: error: expected "==>" after the guard, found "begin"
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule x = 1 begin
  x := 0;
end;
