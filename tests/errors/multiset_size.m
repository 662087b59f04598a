-- expect: 4:18: error: the size of a multiset is 0; it must be at least 1
--

var m: multiset [0] of 0..3;
var
  x: 0..3;

startstate
  x := 0;
end;
