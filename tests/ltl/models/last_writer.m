-- Two processes write once each, and the run ends: the last one to write decides. SPIN 6.5 with weak fairness (pan -f)
-- says that "first" holds.
type Proc: 1..2;
var
  n: 0..2;
  done: array [Proc] of boolean;

startstate begin n := 0; for p: Proc do done[p] := false end end;

ruleset p: Proc do
  rule "write" !done[p] ==> begin n := p; done[p] := true end;
end;

ltl "first" F G n = 1;
ltl "written" F G n != 0;
