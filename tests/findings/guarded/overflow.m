-- The guard that distinguishes processes fails for one of them.
const N: 2;
type proc: 1..N;
var at: array [proc] of boolean;
startstate begin for i: proc do at[i] := false; end; end;
ruleset i: proc do rule "go" i + 9223372036854775806 > 0 ==> begin at[i] := true; end; end;
