-- MOESI with a bus: the owner of a modified copy goes on answering for it while others share it.
const
  CACHES: 3;
type
  Cache: scalarset(CACHES);
  State: enum { Modified, Owned, Exclusive, Shared, Invalid };
var
  state: array [Cache] of State;

procedure Share(c: Cache);
begin
  switch state[c]
    case Modified: state[c] := Owned;
    case Exclusive: state[c] := Shared;
    else
  end;
end;

startstate "Empty"
begin
  for c: Cache do state[c] := Invalid; end;
end;

ruleset c: Cache do
  rule "Write a copy that is alone" state[c] = Exclusive ==>
  begin
    state[c] := Modified;
  end;

  rule "Read miss" state[c] = Invalid ==>
  begin
    if forall o: Cache do state[o] = Invalid end then
      state[c] := Exclusive;
    else
      for o: Cache do Share(o); end;
      state[c] := Shared;
    end;
  end;

  rule "Write" state[c] = Invalid | state[c] = Shared | state[c] = Owned ==>
  begin
    for o: Cache do
      if o != c then state[o] := Invalid; end;
    end;
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

invariant "One owner"
  forall a: Cache do forall b: Cache do a != b & state[a] = Owned -> state[b] != Owned end end;
