-- expect: 4:8: error: the range 0..4294967296 does not fit 32 bits
-- hint: values are from -2147483647 to 2147483647

var x: 0..4294967296;
startstate
  x := 0;
end;
