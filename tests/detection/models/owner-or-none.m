-- 0 for nobody: the processes are interchangeable, 0 is not.
--
-- detect: order=24 Owner{1,2,3,4}=full
const n: 4;
type Owner: 0..n;
var lock: Owner; waits: array [1..n] of boolean;
startstate begin lock := 0; for i: 1..n do waits[i] := false; end; end;
ruleset i: 1..n do
  rule "ask" !waits[i] & lock != i ==> begin waits[i] := true; end;
  rule "get" waits[i] & lock = 0 ==> begin lock := i; waits[i] := false; end;
  rule "give" lock = i ==> begin lock := 0; end;
end;
