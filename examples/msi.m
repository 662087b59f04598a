-- MSI: a directory protocol with three cache states, over a network that reorders.
--
-- Home keeps the memory, a state (Uncached, SharedBy, OwnedBy) and who holds copies. It serves one transaction at a time: it
-- recalls or invalidates the copies in the way, grants, and is busy until the requester says Done. Caches may drop a
-- shared copy silently and write a modified one back at any time, so that write-backs cross recalls.
--
-- The network is a multiset: messages have no order and no place, only a number. Two states that
-- differ in the arrangement of messages are one.
--
--   noether check examples/msi.m
--   noether check examples/msi.m -D CACHES=4
--
-- What to expect: every property holds. Why a write-back cannot overtake: home takes up a PutM only when
-- it is idle, and a cache always answers a recall, even when its PutM is under way (state MI). It then waits for the
-- acknowledgement as a cache that has nothing (state II).
--
-- noether: verdict=holds states=18798 canonical=1733 rules=60420 canonical_rules=5628
-- noether: with CACHES=2 verdict=holds states=1098 canonical=279 rules=2696 canonical_rules=686
-- noether: rumur=no

const
  CACHES: 3;
  VALUES: 2;

type
  Cache: scalarset(CACHES);
  Value: scalarset(VALUES);

  -- I, S, M are stable; two letters: from where to where. IS and IM wait for data, MI and II for PutAck.
  CacheState: enum { I, S, M, IS, IM, SM, MI, II };
  HomeState: enum { Uncached, SharedBy, OwnedBy };
  Phase: enum { Ready, Collecting, Recalling, Granted };

  Kind: enum {
    GetS, GetM, PutM,        -- requests
    InvAck, WriteBack, Done, -- answers to home
    Inv, Recall, PutAck,     -- from home
    DataS, DataM             -- grants
  };
  Message: record
    kind: Kind;
    cache: Cache;   -- the cache it comes from or goes to; the other end is home
    value: Value;   -- undefined when it carries no data
  end;

var
  state: array [Cache] of CacheState;
  copy: array [Cache] of Value;

  home: HomeState;
  phase: Phase;
  sharer: array [Cache] of boolean;
  owner: Cache;
  requester: Cache;
  wants: Kind;                      -- what the requester asked for
  memory: Value;

  network: multiset [2 * CACHES] of Message;
  latest: Value;                    -- ghost: the value written last

procedure Send(k: Kind; c: Cache);
  var m: Message;
begin
  undefine m;
  m.kind := k;
  m.cache := c;
  multisetadd(m, network);
end;

procedure SendValue(k: Kind; c: Cache; v: Value);
  var m: Message;
begin
  m.kind := k;
  m.cache := c;
  m.value := v;
  multisetadd(m, network);
end;

-- Grants when nothing is in the way.
procedure Grant();
begin
  if wants = GetS then
    home := SharedBy;
    sharer[requester] := true;
    SendValue(DataS, requester, memory);
  else
    home := OwnedBy;
    owner := requester;
    SendValue(DataM, requester, memory);
  end;
  phase := Granted;
end;

-- Begins to serve a request.
procedure Serve(k: Kind; c: Cache);
begin
  requester := c;
  wants := k;
  if home = OwnedBy then
    Send(Recall, owner);
    phase := Recalling;
  elsif k = GetM & exists o: Cache do o != c & sharer[o] end then
    sharer[c] := false;
    for o: Cache do
      if sharer[o] then Send(Inv, o); end;
    end;
    phase := Collecting;
  else
    sharer[c] := false;
    Grant();
  end;
end;

ruleset v: Value do
  startstate "Nothing cached"
  begin
    for c: Cache do
      state[c] := I;
      sharer[c] := false;
    end;
    home := Uncached;
    phase := Ready;
    memory := v;
    latest := v;
  end;
end;

-- What the processors do.

ruleset c: Cache do
  rule "Read miss" state[c] = I ==>
  begin
    state[c] := IS;
    Send(GetS, c);
  end;

  rule "Write miss" state[c] = I ==>
  begin
    state[c] := IM;
    Send(GetM, c);
  end;

  rule "Upgrade" state[c] = S ==>
  begin
    state[c] := SM;
    Send(GetM, c);
  end;

  rule "Drop a shared copy" state[c] = S ==>
  begin
    state[c] := I;
    undefine copy[c];
  end;

  rule "Write back" state[c] = M ==>
  begin
    state[c] := MI;
    SendValue(PutM, c, copy[c]);
  end;

  ruleset v: Value do
    rule "Write" state[c] = M ==>
    begin
      copy[c] := v;
      latest := v;
    end;
  end;
end;

-- What home does.

choose i: network do
  alias m: network[i] do
    rule "Home serves" phase = Ready & (m.kind = GetS | m.kind = GetM) ==>
      var k: Kind; c: Cache;
    begin
      k := m.kind;
      c := m.cache;
      multisetremove(i, network);
      Serve(k, c);
    end;

    rule "Home takes a write-back" phase = Ready & m.kind = PutM ==>
      var c: Cache;
    begin
      c := m.cache;
      if home = OwnedBy & owner = c then
        memory := m.value;
        home := Uncached;
        undefine owner;
      end;
      multisetremove(i, network);
      Send(PutAck, c);
    end;

    rule "Home counts an acknowledgement" phase = Collecting & m.kind = InvAck ==>
    begin
      sharer[m.cache] := false;
      multisetremove(i, network);
      if forall o: Cache do !sharer[o] end then
        Grant();
      end;
    end;

    rule "Home receives what it recalled" phase = Recalling & m.kind = WriteBack ==>
    begin
      memory := m.value;
      undefine owner;
      multisetremove(i, network);
      Grant();
    end;

    rule "Home is done" phase = Granted & m.kind = Done ==>
    begin
      phase := Ready;
      undefine requester;
      undefine wants;
      multisetremove(i, network);
    end;
  end;
end;

-- What caches receive.

choose i: network do
  alias m: network[i] do
    rule "Cache is invalidated" m.kind = Inv ==>
      var c: Cache;
    begin
      c := m.cache;
      if state[c] = S then state[c] := I; end;
      if state[c] = SM then state[c] := IM; end;
      undefine copy[c];
      multisetremove(i, network);
      Send(InvAck, c);
    end;

    rule "Cache is recalled" m.kind = Recall ==>
      var c: Cache;
    begin
      c := m.cache;
      assert state[c] = M | state[c] = MI "only an owner is recalled";
      multisetremove(i, network);
      SendValue(WriteBack, c, copy[c]);
      state[c] := state[c] = M ? I : II;
      undefine copy[c];
    end;

    rule "Cache receives data" m.kind = DataS | m.kind = DataM ==>
      var c: Cache;
    begin
      c := m.cache;
      copy[c] := m.value;
      state[c] := m.kind = DataS ? S : M;
      multisetremove(i, network);
      Send(Done, c);
    end;

    rule "Write-back acknowledged" m.kind = PutAck ==>
      var c: Cache;
    begin
      c := m.cache;
      assert state[c] = MI | state[c] = II;
      state[c] := I;
      undefine copy[c];
      multisetremove(i, network);
    end;
  end;
end;

invariant "One writer, or readers"
  forall a: Cache do
    state[a] = M -> forall b: Cache do b != a -> state[b] != M & state[b] != S & state[b] != SM end
  end;

invariant "Readers see the value written last"
  forall c: Cache do
    state[c] = S | state[c] = SM | state[c] = M -> copy[c] = latest
  end;

invariant "Memory is up to date when nobody owns the line"
  phase = Ready & home != OwnedBy -> memory = latest;
