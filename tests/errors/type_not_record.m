-- expect: 12:3: error: 0..3 is not a record
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x.value := 1;
end;
