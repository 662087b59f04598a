-- Four shared variables hold processes; one is never written. What is a constant must not make room for a rule about
-- more processes than an engine can follow at once.
--
-- noether: verdict=holds states=6 rules=6 canonical=6 canonical_rules=6 deadlock=off
-- noether: rumur=yes
type Proc: 1..3;
var s: array [Proc] of 0..1; first, fixed, second, third: Proc;
startstate begin for i: Proc do s[i] := 0; end; fixed := 2; end;
ruleset i: Proc; k: Proc do
  rule "move" s[i] = 0 & i < k ==>
  begin
    if isundefined(first) then first := i;
    elsif isundefined(second) then second := k;
    elsif isundefined(third) then third := i;
    end;
    s[i] := 1;
  end;
end;
invariant "never the last" isundefined(first) | first != 3;
invariant "the second is larger" isundefined(second) | second >= fixed;
