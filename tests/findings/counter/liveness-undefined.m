-- The formula of the liveness property cannot be evaluated in the start state. Counters decided it as AG EF, which
-- what comes later makes true.
type S: scalarset(3);
var at: array [S] of boolean; g: 0..3;
startstate begin for i: S do at[i] := false; end; undefine g; end;
ruleset i: S do rule "set" !at[i] ==> begin at[i] := true; g := 2; end; end;
ruleset i: S do rule "unset" at[i] ==> begin at[i] := false; end; end;
liveness "l" g = 2;
