-- expect: 13:8: error: "t" is a type, not a value
--

type t: 0..3;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := t;
end;
