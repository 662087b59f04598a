-- expect: 4:11: error: the number 010 has a leading zero
-- hint: CMurphi reads it as decimal, rumur as octal; write it without the zero, or say --dialect

var x: 0..010;
startstate
  x := 0;
end;
