-- expect: 12:14: error: cannot assign to "i": it is a parameter of the rule
--

var
  x: 0..3;

startstate
  x := 0;
end;

ruleset i: 0..3 do
  rule begin i := 0; end;
end;
