-- expect: 12:8: error: cannot assign boolean to a variable of type 0..3
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := true;
end;
