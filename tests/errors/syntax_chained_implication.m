-- expect: 11:26: error: "->" after another "->" is ambiguous
-- hint: use parentheses

var
  x: 0..3;

startstate
  x := 0;
end;

invariant x = 1 -> x = 2 -> x = 3;
