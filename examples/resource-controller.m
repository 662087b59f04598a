-- A resource controller: clients ask, one at a time is served.
--
-- The running example of the literature on symmetry in model checking: clients talk to a
-- controller that hands out one resource, premium clients before regular ones. Clients come in two classes with
-- rules of their own: the symmetry is the product of two full symmetric groups.
--
--   noether check examples/resource-controller.m -D REGULAR=8
--
-- What to expect: the resource has one user at most, and the client it was granted to is the one that uses it. Client is
-- a union of the two scalarsets: one array over all clients, and a variable that holds any of them.
--
-- noether: verdict=holds states=112 canonical=29 rules=364 canonical_rules=99
-- noether: with REGULAR=1 PREMIUM=1 verdict=holds states=8 canonical=8 rules=13 canonical_rules=13
-- noether: rumur=no

const
  REGULAR: 3;
  PREMIUM: 2;

type
  Regular: scalarset(REGULAR);
  Premium: scalarset(PREMIUM);
  Client: union { Regular, Premium };
  Status: enum { Idle, Asking, Using };

var
  status: array [Client] of Status;
  granted: Client;            -- undefined: the resource is free

startstate "Free"
begin
  for c: Client do status[c] := Idle; end;
end;

ruleset c: Client do
  rule "Ask" status[c] = Idle ==>
  begin
    status[c] := Asking;
  end;

  rule "Release" status[c] = Using ==>
  begin
    assert granted = c "who releases holds the resource";
    status[c] := Idle;
    undefine granted;
  end;
end;

ruleset p: Premium do
  rule "Serve premium" isundefined(granted) & status[p] = Asking ==>
  begin
    granted := p;
    status[p] := Using;
  end;
end;

ruleset r: Regular do
  rule "Serve regular"
    isundefined(granted) & status[r] = Asking & !exists p: Premium do status[p] = Asking end
  ==>
  begin
    granted := r;
    status[r] := Using;
  end;
end;

invariant "One user at most"
  forall a: Client do
    forall b: Client do
      status[a] = Using & status[b] = Using -> a = b
    end
  end;

invariant "The resource is granted to the client that uses it"
  isundefined(granted) ? forall c: Client do status[c] != Using end : status[granted] = Using;
