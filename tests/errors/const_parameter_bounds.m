-- expect: 11:9: error: the values of a parameter of a rule must be constant
--

var
  x: 0..3;

startstate
  x := 0;
end;

ruleset i := 0 to x do
  rule begin x := i; end;
end;
