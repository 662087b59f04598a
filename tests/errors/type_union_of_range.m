-- expect: 6:20: error: a union is made of enums and scalarsets, not of t
--

type t: 0..3;
     e: enum { none };
     u: union { e, t };
var
  x: 0..3;

startstate
  x := 0;
end;
