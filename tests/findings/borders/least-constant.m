-- The number -2147483648 in expressions: no variable holds it.
const LEAST: -2147483648;
var x: -3..3;
startstate x := -3; end;
rule "r" x < 3 ==> x := x + 1; end;
invariant "above" x > LEAST & LEAST + x != LEAST - 4 & -LEAST = 2147483648 & x * LEAST / LEAST = x;
