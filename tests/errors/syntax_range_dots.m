-- expect: 4:8: error: a real number is not a type
-- hint: a range is written with two dots: 0..3

var x: 0.3;
startstate
  x := 0;
end;
