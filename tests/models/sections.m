-- const, type and var sections in any order and several times; constants made of constants.
--
-- noether: verdict=holds states=6 canonical=6 rules=6 canonical_rules=6
-- noether: rumur=yes
const A: 2; B: A * 3 - 1;
type T: 0..B;
var x: T;
const C: B + 1;
type U: array [T] of boolean;
var seen: U; y: 0..C;
startstate begin x := 0; y := C; for i: T do seen[i] := false; end; end;
rule "step" begin
  seen[x] := true;
  x := (x + A) % C;
  y := C - x;
end;
invariant "parity" forall i: T do seen[i] -> i % 2 = 0 end;
invariant "mirror" x = 0 | x + y = C;
