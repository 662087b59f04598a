-- expect: 4:29: error: cannot assign to "a": it is a parameter
-- hint: declare it with VAR to change it

procedure p(a: 0..3); begin a := 1; end;
var
  x: 0..3;

startstate
  x := 0;
end;
