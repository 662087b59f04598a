-- A liveness property for each element of a scalarset that none of them has: a free resource has no owner.
--
-- noether: verdict=violated kind=ctl property="everyone in turn"
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
  liveness "everyone in turn" is_free & !isundefined(owner) & owner = p;
end;
