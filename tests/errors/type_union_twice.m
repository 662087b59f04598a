-- expect: 6:20: error: s is in the union twice
--

type s: scalarset(2);
     r: s;
     u: union { s, r };
var
  x: 0..3;

startstate
  x := 0;
end;
