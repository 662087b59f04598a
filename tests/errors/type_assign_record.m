-- expect: 13:8: error: cannot assign 0..3 to a variable of type record {a: 0..3}
--

var m: record a: 0..3; end;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  m := x;
end;
