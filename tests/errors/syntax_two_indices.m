-- expect: 13:6: error: an array has one index
-- hint: write a[i][j] for an array of arrays

var a: array [0..1] of array [0..1] of 0..1;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  a[0, 1] := 1;
end;
