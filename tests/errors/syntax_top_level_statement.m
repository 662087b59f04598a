-- expect: 10:1: error: expected a declaration, a rule or a property, found "x"
-- hint: statements stand inside rules, start states and functions

var
  x: 0..3;

startstate
  x := 0;
end;
x := 1;
