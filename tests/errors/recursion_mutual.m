-- expect: 10:26: error: recursion is not supported: even -> odd -> even
-- hint: write it as a loop

function even(n: 0..3): boolean;
begin
  return n = 0 ? true : odd(n - 1);
end;
function odd(n: 0..3): boolean;
begin
  return n = 0 ? false : even(n - 1);
end;
var
  x: 0..3;

startstate
  x := 0;
end;
