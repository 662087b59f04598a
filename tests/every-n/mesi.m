-- MESI with a bus: every transaction is one step, which all caches see.
-- Proved for every number of caches: every-n.
const
  CACHES: 3;
type
  Cache: scalarset(CACHES);
  State: enum { Modified, Exclusive, Shared, Invalid };
var
  state: array [Cache] of State;

startstate "Empty"
begin
  for c: Cache do state[c] := Invalid; end;
end;

ruleset c: Cache do
  rule "Write a copy that is alone" state[c] = Exclusive ==>
  begin
    state[c] := Modified;
  end;

  rule "Read miss, shared" state[c] = Invalid & exists o: Cache do state[o] != Invalid end ==>
  begin
    for o: Cache do
      if state[o] != Invalid then state[o] := Shared; end;
    end;
    state[c] := Shared;
  end;

  rule "Read miss, alone" state[c] = Invalid & forall o: Cache do state[o] = Invalid end ==>
  begin
    state[c] := Exclusive;
  end;

  rule "Upgrade" state[c] = Shared ==>
  begin
    for o: Cache do
      if o != c then state[o] := Invalid; end;
    end;
    state[c] := Modified;
  end;

  rule "Write miss" state[c] = Invalid ==>
  begin
    for o: Cache do state[o] := Invalid; end;
    state[c] := Modified;
  end;

  rule "Evict" state[c] != Invalid ==>
  begin
    state[c] := Invalid;
  end;
end;

invariant "A writer is alone"
  forall a: Cache do forall b: Cache do
    a != b & (state[a] = Modified | state[a] = Exclusive) -> state[b] = Invalid
  end end;
