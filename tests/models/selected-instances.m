-- Guards that begin with tests of elements by the parameters; one element is undefined. The names are those of compiled code.
--
-- noether: verdict=violated kind=runtime trace_length=1
-- noether: rumur=no
type P: 0..3; S: enum {A,B};
var s: array[P] of S; left_0, all_0, always: 0..3;
startstate begin for i: P do if i != 2 then s[i] := A; end; end; left_0 := 0; all_0 := 0; always := 0; end;
ruleset i: P; j: P do rule "go" s[i] = A & s[j] = A & i != j & left_0 < 3 ==> begin s[i] := B; left_0 := left_0 + 1; end; end;
