-- Processes follow links to links: what a run depends on, said in terms of the state before it, nests deeper with each
-- step of a cycle.
--
-- noether: verdict=holds states=80 rules=206 canonical=80 canonical_rules=206 deadlock=off
-- noether: rumur=yes
type Proc: 1..3;
  Place: enum { Away, Near, There };
var place: array [Proc] of Place; link: array [Proc] of Proc; leader: Proc;
function next(i: Proc): Proc; begin if i = 3 then return 1; end; return i + 1; end;
startstate begin for i: Proc do place[i] := Away; link[i] := 2; end; leader := 2; end;
ruleset i: Proc do rule "come" place[i] = Away ==> begin place[i] := Near; end; end;
ruleset i: Proc do rule "arrive" place[i] = Near & place[leader] = Near ==> begin place[i] := There; end; end;
ruleset i: Proc; k: Proc do
  rule "follow" place[i] = Away & i < k ==>
  var last: Proc;
  begin
    link[i] := link[link[i]];
    for j: Proc do if place[j] = Near & j != i then last := j; end; end;
    if !isundefined(last) then place[last] := There; end;
    leader := next(leader);
  end;
end;
invariant "links stay" forall i: Proc do link[i] = 2 end;
