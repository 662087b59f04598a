-- expect: 11:6: error: the guard of a rule must be boolean, not 0..3
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule x ==> begin x := 0; end;
