-- A liveness property for each element of a scalarset: every process can always become the owner again.
--
-- noether: verdict=holds states=4 canonical=2 rules=6 canonical_rules=4
-- noether: rumur=yes
type
  Process: scalarset(3);
var
  owner: Process;
  is_free: boolean;
startstate begin undefine owner; is_free := true; end;
ruleset p: Process do
  rule "take" is_free ==> begin owner := p; is_free := false; end;
end;
rule "give back" !is_free ==> begin undefine owner; is_free := true; end;
ruleset p: Process do
  liveness "everyone in turn" !is_free & owner = p;
end;
