-- expect: 13:5: error: the index is boolean, but the array is indexed by 0..3
--

var a: array [0..3] of 0..3;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  a[true] := 1;
end;
