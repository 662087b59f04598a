-- expect: 4:1: error: external functions are not supported
-- hint: write the function in Murphi

externfun rand(): 0..3 "rand.h";
var
  x: 0..3;

startstate
  x := 0;
end;
