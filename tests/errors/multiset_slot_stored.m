-- expect: 13:19: error: a slot of a multiset cannot be stored
--

var m: multiset [3] of 0..3;
var
  x: 0..3;

startstate
  x := 0;
end;

choose i: m do
  rule begin x := i; end;
end;
