-- Quantifiers over several types, nested and alternating; subtypes of numbers beside scalarsets.
--
-- noether: verdict=holds states=81 canonical=27
-- noether: rumur=no
type Process: scalarset(2); Item: scalarset(2); Level: 0..2;
var at: array [Process] of array [Item] of Level;
startstate begin for p: Process do for i: Item do at[p][i] := 0; end; end; end;
ruleset p: Process; i: Item do
  rule "up" at[p][i] < 2 ==> begin at[p][i] := at[p][i] + 1; end;
  rule "down" at[p][i] = 2 ==> begin at[p][i] := 0; end;
end;
ctl "each can be anywhere" AG forall p: Process do forall i: Item; l: Level do EF at[p][i] = l end end;
ctl "up before down" AG forall p: Process; i: Item do at[p][i] = 1 -> A[at[p][i] = 1 U at[p][i] = 2] | EG at[p][i] = 1 end;
ctl "one alone may move" forall p: Process; i: Item do EG forall q: Process; j: Item do
  (q = p & j = i) | at[q][j] = 0 end end;
ctl "some way round" exists p: Process do forall i: Item do exists l := 1 to 2 do
  EF (at[p][i] = l & EX (at[p][i] != l & EX at[p][i] = 0)) end end end;
