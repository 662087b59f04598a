-- Process 2 never goes: the run ends. Without the guard it goes on, and for a formula an end is an end, whether the model
-- may end there, the next step breaks an assumption, or it fails.
const HOW: 0; -- 0: that is all; 1: a step that breaks an assumption; 2: a step that fails
type P: 1..2;
var d: array [P] of boolean;
    z: boolean;
startstate begin z := false; for p: P do d[p] := false; end; end;
ruleset p: P do
  rule "go" !d[p] & p != 2 ==> begin d[p] := true; end;
end;
rule "bad" HOW > 0 & (exists p: P do d[p] end) ==> begin if HOW = 2 then assert "oops" false; end; z := true; end;
assume HOW = 1 -> !z;
ltl "all go" F forall p: P do d[p] end;
ctl "all go, too" AF forall p: P do d[p] end;
