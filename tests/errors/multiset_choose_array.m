-- expect: 12:11: error: array [0..1] of 0..3 is not a multiset
--

var a: array [0..1] of 0..3;
var
  x: 0..3;

startstate
  x := 0;
end;

choose i: a do
  rule begin x := a[i]; end;
end;
