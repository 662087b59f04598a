-- The amount of a shift is a call with a side effect: it is evaluated once, also where it is negative or beyond 63.
type amount: -70 .. 70;
var calls: 0 .. 4; distance: amount; x: 0 .. 60;

function next(): amount;
begin
  calls := calls + 1;
  return distance;
end;

startstate begin calls := 0; distance := -2; x := 20; end;

rule "backward" calls = 0 ==> begin x := x << next(); distance := 65; end;
rule "beyond" calls = 1 ==> begin x := (x + 1) >> next(); distance := -3; end;
rule "forward" calls = 2 ==> begin x := (x + 7) >> next(); end;

invariant "the other way" calls = 1 -> x = 5;
invariant "nothing is left" calls = 2 -> x = 0;
invariant "multiplied" calls = 3 -> x = 56;
