-- A counter with the bounds of the processes is no process.
--
-- detect: order=24 Proc{*}=full
const n: 4;
type Proc: 1..n;
var on: array [Proc] of boolean; count: 1..n;
startstate begin for p: Proc do on[p] := false; end; count := 1; end;
ruleset p: Proc do rule "flip" !on[p] & count < n ==> begin on[p] := true; count := count + 1; end; end;
rule "reset" count = n ==> begin for p: Proc do on[p] := false; end; count := 1; end;
