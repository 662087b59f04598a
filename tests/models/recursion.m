-- A function and a procedure that call themselves: by value, by reference, twice, with local variables and an assertion.
--
-- noether: verdict=holds states=7 canonical=7 rules=7 canonical_rules=7
-- noether: rumur=yes
type
  N: 0..6;
var
  n: N;
  made: 0..720;
  pairs: 0..8;
function factorial(k: N): 0..720;
begin
  if k = 0 then
    return 1;
  end;
  return k * factorial(k - 1);
end;
function fibonacci(k: N): 0..8;
var
  one, two: 0..8;
begin
  assert k >= 0 "not too deep";
  if k < 2 then
    return k;
  end;
  one := fibonacci(k - 1);
  two := fibonacci(k - 2);
  return one + two;
end;
procedure lower(var x: N);
begin
  if x > 0 then
    x := x - 1;
    lower(x);
  end;
end;
startstate begin n := 0; made := 1; pairs := 0; end;
rule "next" n < 6 ==> begin n := n + 1; made := factorial(n); pairs := fibonacci(n); end;
rule "back" n = 6 ==> begin lower(n); made := 1; pairs := 0; end;
invariant "made" made = factorial(n) & pairs = fibonacci(n);
