-- expect: 13:10: error: a multiset is not indexed by integer
-- hint: its elements are reached by choose, multisetcount and multisetremovepred

var m: multiset [3] of 0..3;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := m[0];
end;
