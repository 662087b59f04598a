-- expect: 12:8: error: ":=" in a condition
-- hint: write = to compare

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if x := 1 then x := 2; end;
end;
