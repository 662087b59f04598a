-- expect: 12:14: error: expected ")" to match the "(", found ";"
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := (x + 1;
end;
