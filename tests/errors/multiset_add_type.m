-- expect: 13:15: error: cannot add boolean to a multiset of 0..3
--

var m: multiset [3] of 0..3;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  multisetadd(true, m);
end;
