-- expect: 10:26: error: recursion through other functions is not supported: even -> odd -> even
-- hint: a function may call itself; else write it as a loop

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
