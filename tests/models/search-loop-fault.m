-- A loop over a scalarset that may return before it meets the undefined value: it meets it in every order, so P is used and
-- nothing is missed. (The peers meet it only where the undefined element comes first.)
--
-- noether: verdict=violated kind=runtime trace_length=2
-- noether: rumur=yes
type P: scalarset(3);
var a: array [P] of boolean; all: boolean;
function All(): boolean; begin
  for p: P do if !a[p] then return false; end; end;
  return true;
end;
startstate begin undefine a; all := false; end;
ruleset p: P do
  rule "define" isundefined(a[p]) ==> begin a[p] := false; end;
  rule "turn" !isundefined(a[p]) ==> begin a[p] := !a[p]; end;
end;
rule "look" exists p: P do !isundefined(a[p]) end ==> begin all := All(); end;
