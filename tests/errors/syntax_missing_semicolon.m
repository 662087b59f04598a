-- expect: 12:9: error: expected ";" between statements, found "x"
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := 1
  x := 2;
end;
