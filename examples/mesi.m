-- MESI: a directory protocol that forwards requests from cache to cache.
--
-- Compared with msi.m: a cache alone with its copy has it exclusively (E) and may write without asking (E becomes M
-- silently), and home forwards a request to the owner, who sends the data straight to the requester: three hops
-- instead of four. On a forwarded read the owner also updates the memory.
--
--   noether check examples/mesi.m
--   noether check examples/mesi.m --search dfs
--
-- What to expect: every property holds. The network is a multiset, so messages overtake one another: an
-- eviction notice (PutE) crosses the forward for the same line. The evicting cache serves the forward, and home, who is
-- busy until the requester is Done, then finds that the PutE comes from a cache that is no owner any more.
--
-- noether: verdict=holds states=19966 canonical=1798 rules=69708 canonical_rules=6322
-- noether: rumur=no

const
  CACHES: 3;
  VALUES: 2;

type
  Cache: scalarset(CACHES);
  Value: scalarset(VALUES);

  -- Stable: I S E M. Waiting: IS and IM for data, EI for PutAck (with a copy), II for PutAck (without).
  CacheState: enum { I, S, E, M, IS, IM, EI, II };
  HomeState: enum { Uncached, SharedBy, OwnedBy };

  Kind: enum { GetS, GetM, PutE, Update, InvAck, Done, Inv, FwdS, FwdM, PutAck, DataS, DataE, DataM };
  Message: record
    kind: Kind;
    cache: Cache;      -- the cache it comes from (to home) or goes to (from home)
    requester: Cache;  -- FwdS, FwdM: who shall get the data
    value: Value;
  end;

var
  state: array [Cache] of CacheState;
  copy: array [Cache] of Value;

  home: HomeState;
  busy: boolean;
  updating: boolean;            -- home waits for the owner's Update as well as for Done
  collecting: boolean;          -- home waits for InvAcks before it grants GetM
  sharer: array [Cache] of boolean;
  owner: Cache;
  requester: Cache;
  memory: Value;

  network: multiset [2 * CACHES + 1] of Message;
  latest: Value;

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
  undefine m;
  m.kind := k;
  m.cache := c;
  m.value := v;
  multisetadd(m, network);
end;

procedure Forward(k: Kind; c: Cache; r: Cache);
  var m: Message;
begin
  undefine m;
  m.kind := k;
  m.cache := c;
  m.requester := r;
  multisetadd(m, network);
end;

procedure ServeShared(c: Cache);
begin
  switch home
    case Uncached:
      home := OwnedBy;
      owner := c;
      SendValue(DataE, c, memory);
    case SharedBy:
      sharer[c] := true;
      SendValue(DataS, c, memory);
    case OwnedBy:
      Forward(FwdS, owner, c);
      home := SharedBy;
      sharer[owner] := true;
      sharer[c] := true;
      undefine owner;
      updating := true;
  end;
end;

procedure ServeModified(c: Cache);
begin
  switch home
    case Uncached:
      SendValue(DataM, c, memory);
    case SharedBy:
      sharer[c] := false;
      for o: Cache do
        if sharer[o] then
          Send(Inv, o);
          collecting := true;
        end;
      end;
      if !collecting then
        SendValue(DataM, c, memory);
      end;
    case OwnedBy:
      Forward(FwdM, owner, c);
  end;
  home := OwnedBy;
  owner := c;
end;

ruleset v: Value do
  startstate "Nothing cached"
  begin
    for c: Cache do
      state[c] := I;
      sharer[c] := false;
    end;
    home := Uncached;
    busy := false;
    updating := false;
    collecting := false;
    memory := v;
    latest := v;
  end;
end;

ruleset c: Cache do
  rule "Read miss" state[c] = I ==>
  begin
    state[c] := IS;
    Send(GetS, c);
  end;

  rule "Write miss or upgrade" state[c] = I | state[c] = S ==>
  begin
    state[c] := IM;
    undefine copy[c];
    Send(GetM, c);
  end;

  rule "Drop a shared copy" state[c] = S ==>
  begin
    state[c] := I;
    undefine copy[c];
  end;

  rule "Evict" state[c] = E | state[c] = M ==>
  begin
    state[c] := EI;
    SendValue(PutE, c, copy[c]);
  end;

  ruleset v: Value do
    rule "Write" state[c] = E | state[c] = M ==>
    begin
      state[c] := M;
      copy[c] := v;
      latest := v;
    end;
  end;
end;

choose i: network do
  alias m: network[i] do
    rule "Home serves" !busy & (m.kind = GetS | m.kind = GetM) ==>
      var k: Kind;
    begin
      k := m.kind;
      requester := m.cache;
      busy := true;
      multisetremove(i, network);
      if k = GetS then
        ServeShared(requester);
      else
        ServeModified(requester);
      end;
    end;

    rule "Home hears of an eviction" !busy & m.kind = PutE ==>
      var c: Cache;
    begin
      c := m.cache;
      if home = OwnedBy & owner = c then
        memory := m.value;
        home := Uncached;
        undefine owner;
      end;
      sharer[c] := false;  -- it had served a forwarded read, but kept nothing
      if home = SharedBy & forall o: Cache do !sharer[o] end then
        home := Uncached;
      end;
      multisetremove(i, network);
      Send(PutAck, c);
    end;

    rule "Home counts an acknowledgement" collecting & m.kind = InvAck ==>
    begin
      sharer[m.cache] := false;
      multisetremove(i, network);
      if forall o: Cache do !sharer[o] end then
        collecting := false;
        SendValue(DataM, requester, memory);
      end;
    end;

    rule "Home is updated" updating & m.kind = Update ==>
    begin
      memory := m.value;
      updating := false;
      multisetremove(i, network);
    end;

    rule "Home is done" m.kind = Done & !updating ==>
    begin
      busy := false;
      undefine requester;
      multisetremove(i, network);
    end;
  end;
end;

choose i: network do
  alias m: network[i] do
    rule "Cache is invalidated" m.kind = Inv ==>
      var c: Cache;
    begin
      c := m.cache;
      assert state[c] != E & state[c] != M "an owner is never invalidated";
      if state[c] = S then
        state[c] := I;
        undefine copy[c];
      end;
      multisetremove(i, network);
      Send(InvAck, c);
    end;

    rule "Owner serves a reader" m.kind = FwdS ==>
      var c: Cache; r: Cache;
    begin
      c := m.cache;
      r := m.requester;
      multisetremove(i, network);
      SendValue(DataS, r, copy[c]);
      SendValue(Update, c, copy[c]);
      if state[c] = EI then
        state[c] := II;
        undefine copy[c];
      else
        state[c] := S;
      end;
    end;

    rule "Owner serves a writer" m.kind = FwdM ==>
      var c: Cache; r: Cache;
    begin
      c := m.cache;
      r := m.requester;
      multisetremove(i, network);
      SendValue(DataM, r, copy[c]);
      state[c] := state[c] = EI ? II : I;
      undefine copy[c];
    end;

    rule "Cache receives data" m.kind = DataS | m.kind = DataE | m.kind = DataM ==>
      var c: Cache;
    begin
      c := m.cache;
      copy[c] := m.value;
      switch m.kind
        case DataS: state[c] := S;
        case DataE: state[c] := E;
        else state[c] := M;
      end;
      multisetremove(i, network);
      Send(Done, c);
    end;

    rule "Eviction acknowledged" m.kind = PutAck ==>
      var c: Cache;
    begin
      c := m.cache;
      assert state[c] = EI | state[c] = II;
      state[c] := I;
      undefine copy[c];
      multisetremove(i, network);
    end;
  end;
end;

invariant "A writer is alone"
  forall a: Cache do
    state[a] = M | state[a] = E ->
    forall b: Cache do b != a -> state[b] != M & state[b] != E & state[b] != S end
  end;

invariant "Readers see the value written last"
  forall c: Cache do
    state[c] = S | state[c] = E | state[c] = M -> copy[c] = latest
  end;

invariant "Memory is up to date when nobody owns the line"
  !busy & home != OwnedBy -> memory = latest;
