-- expect: 5:16: error: "off" is declared twice
-- hint: the first declaration is in line 4

type a: enum { on, off };
     b: enum { off, idle };
var
  x: 0..3;

startstate
  x := 0;
end;
