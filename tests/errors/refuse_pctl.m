-- expect: 11:1: error: PCTL formulas are not supported
-- hint: probabilistic Murphi models cannot be checked

var
  x: 0..3;

startstate
  x := 0;
end;

pctl x = 0;
