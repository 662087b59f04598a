-- expect: 13:18: error: isundefined needs a simple variable
-- hint: test its parts one by one

var m: record a: 0..3; end;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if isundefined(m) then x := 0; end;
end;
