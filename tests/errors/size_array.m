-- expect: 4:8: error: the type is too large
-- hint: a value may have at most 1048576 scalar parts

var a: array [0..1000000] of array [0..1000000] of boolean;
startstate
  x := 0;
end;
