-- A shared variable that holds a process or a label is given the value of one that holds a label only, and back: as counters
-- (--engine counter, --method generic) the two have different types.
--
-- noether: verdict=holds states=16 canonical=11
-- noether: rumur=no
type
  Process: scalarset(2);
  Label: enum { none, busy };
  Owner: union { Process, Label };
var
  owner: Owner;
  label: Label;
  at: array [Process] of boolean;

startstate begin owner := none; label := none; for p: Process do at[p] := false; end; end;

rule "label" !ismember(owner, Process) ==> begin owner := label; label := label = none ? busy : none; end;
ruleset p: Process do
  rule "take" at[p] & owner = busy ==> begin owner := p; end;
  rule "arrive" !at[p] & owner = none ==> begin at[p] := true; end;
  rule "give" owner = p ==> begin owner := label; at[p] := false; end;
end;

invariant "An owner has arrived" forall p: Process do owner = p -> at[p] end;
ctl "It can always come to rest" AG EF forall p: Process do !at[p] end;
