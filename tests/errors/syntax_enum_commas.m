-- expect: 4:20: error: expected "," between the names of an enum, found "green"
--

type t: enum { red green };
var
  x: 0..3;

startstate
  x := 0;
end;
