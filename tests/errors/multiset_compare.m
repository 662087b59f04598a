-- expect: 14:6: error: multisets cannot be compared
--

var m: multiset [3] of 0..3;
    n: multiset [3] of 0..3;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if m = n then x := 0; end;
end;
