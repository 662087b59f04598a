-- A goal that is met nowhere, and cannot be evaluated in some states: the run to the first of them is shown.
--
-- noether: verdict=violated kind=cover property="the owner is small" trace_length=0 deadlock=off
-- noether: rumur=no
type Proc: 1..3;
var s: array [Proc] of 0..1; owner: Proc;
startstate begin for i: Proc do s[i] := 0; end; end;
ruleset i: Proc do
  rule "take" i > 1 & s[i] = 0 ==> begin s[i] := 1; owner := i; end;
end;
cover "the owner is small" owner < 2;
