-- expect: 12:13: error: "<=" after another "<=" is ambiguous
-- hint: use parentheses

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if 0 <= x <= 2 then x := 0; end;
end;
