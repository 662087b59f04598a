-- expect: 6:26: error: recursion is not supported: fact -> fact
-- hint: write it as a loop

function fact(n: 0..3): 0..9;
begin
  return n = 0 ? 1 : n * fact(n - 1);
end;
var
  x: 0..3;

startstate
  x := 0;
end;
