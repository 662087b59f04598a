const N: 4;
type proc: 1..N;
var at: array[proc] of enum { Idle, Wait }; flag: array[proc] of boolean; lock: boolean; level: 0..2; rank: array[proc] of 0..3;
startstate begin for i: proc do at[i] := Idle; flag[i] := false; rank[i] := i / 2; end; lock := false; level := 0; end;
ruleset i: proc do
  rule "r0" at[i] = Idle & !lock & i = 3 ==> begin at[i] := Wait; assert "level" level < 2; undefine flag[i]; end;
end;
final exists i: proc do false | !flag[i] | level < 2 end;
