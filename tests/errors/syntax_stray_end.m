-- expect: 10:1: error: expected a declaration, a rule or a property, found "end"
--

var
  x: 0..3;

startstate
  x := 0;
end;
end;
