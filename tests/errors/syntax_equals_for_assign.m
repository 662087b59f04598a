-- expect: 12:5: error: expected ":=" in a statement, found "="
-- hint: write := to assign

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x = 1;
end;
