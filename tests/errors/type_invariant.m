-- expect: 11:19: error: a property must be boolean, not integer
--

var
  x: 0..3;

startstate
  x := 0;
end;

invariant "small" x + 1;
