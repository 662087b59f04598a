-- A cover statement in a function counts when a step calls the function, not when a property does: a property that is violated
-- need not be evaluated any more. The first goal is met by a guard, the second is not met.
--
-- noether: verdict=violated kind=cover property="seen by an invariant" states=4
-- noether: rumur=no
var x: 0..3;

function guarded(): boolean; begin cover "seen by a guard" x = 2; return x < 3; end;
function judged(): boolean; begin cover "seen by an invariant" x = 2; return x < 1; end;

startstate begin x := 0; end;
rule "on" guarded() ==> begin x := x + 1; end;
rule "round" x = 3 ==> begin x := 0; end;

invariant "small" judged() | x >= 0;
