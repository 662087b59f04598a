-- expect: 12:13: error: expected ";" between aliases, found ","
-- hint: aliases are separated by semicolons

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  alias a: x, b: x do a := 1; end;
end;
