-- expect: 14:6: error: cannot compare record {a: 0..3} with record {b: 0..3}
--

var m: record a: 0..3; end;
    n: record b: 0..3; end;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if m = n then x := 0; end;
end;
