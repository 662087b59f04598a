-- A start state calls a function that writes another variable.
const N: 2;
type proc: 1..N;
var at, rank: array [proc] of 0..3; called: boolean;
function f(i: proc): 0..3; begin called := true; return i; end;
startstate begin called := false; for i: proc do at[i] := 0; rank[i] := f(i); end; end;
ruleset i: proc do rule "turn" rank[i] > 1 ==> begin at[i] := 1 - at[i]; end; end;
invariant "never called" !called;
