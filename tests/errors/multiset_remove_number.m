-- expect: 13:18: error: multisetremove needs a slot of that multiset
-- hint: take it from choose, or use multisetremovepred(i: m, condition)

var m: multiset [3] of 0..3;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  multisetremove(0, m);
end;
