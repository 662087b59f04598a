-- expect: 12:3: error: 0..3 is not an array
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x[0] := 1;
end;
