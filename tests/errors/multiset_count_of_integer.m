-- expect: 12:25: error: 0..3 is not a multiset
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := multisetcount(i: x, true);
end;
