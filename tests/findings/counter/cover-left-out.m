-- The only step that meets the cover leads to a state that the assumption leaves out.
type S: scalarset(2);
var at: array [S] of boolean; g: 0..3;
startstate begin for i: S do at[i] := false; end; g := 0; end;
ruleset i: S do rule "r" !at[i] ==> begin at[i] := true; g := 3; cover g = 3 "c"; end; end;
assume "a" g != 3;
