-- German's cache coherence protocol, with data.
--
-- Steven German posed this directory protocol as a challenge to parameterised verification; it is the
-- best known benchmark of the field. One home directory, NODE_NUM caches, three one-place channels for
-- each cache: Chan1 carries requests to home, Chan2 grants and invalidations to the cache, Chan3
-- acknowledgements to home. The directory serves one request at a time (CurCmd, CurPtr), invalidates
-- who must be invalidated (InvSet), and grants.
--
--   noether check examples/german.m                    4 nodes, symmetry found and used
--   noether check examples/german.m -D NODE_NUM=6      as many as you like
--   noether check examples/german.m --symmetry off     every state one by one
--
-- What to expect: every property holds. Canonical states: 852, 5,235, 28,088, 131,112 for 2 to 5 nodes;
-- without symmetry 1,105,434 for 4. Both NODE and DATA are scalarsets: caches are
-- interchangeable, and so are the data, because the protocol moves data but never looks at them.
--
-- noether: verdict=holds states=1105434 canonical=28088 rules=5922288 canonical_rules=150584
-- noether: with NODE_NUM=2 verdict=holds states=3390 canonical=852 rules=9912 canonical_rules=2491
-- noether: with NODE_NUM=3 verdict=holds states=58104 canonical=5235 rules=235872 canonical_rules=21289
-- noether: rumur=yes

const
  NODE_NUM: 4;
  DATA_NUM: 2;

type
  NODE: scalarset(NODE_NUM);
  DATA: scalarset(DATA_NUM);

  CACHE_STATE: enum { Invalid, Shared, Exclusive };
  CACHE: record
    State: CACHE_STATE;
    Data: DATA;
  end;

  COMMAND: enum { Empty, ReqShared, ReqExclusive, Invalidate, InvalidateAck, GrantShared, GrantExclusive };
  MESSAGE: record
    Cmd: COMMAND;
    Data: DATA;
  end;

var
  Cache: array [NODE] of CACHE;
  Chan1, Chan2, Chan3: array [NODE] of MESSAGE;
  InvSet: array [NODE] of boolean;   -- caches home still has to invalidate
  ShrSet: array [NODE] of boolean;   -- caches home believes to hold a copy
  ExGntd: boolean;                   -- is the one copy exclusive?
  CurCmd: COMMAND;                   -- the request being served
  CurPtr: NODE;                      -- who made it; undefined when none is served
  MemData: DATA;
  AuxData: DATA;                     -- ghost: the value written last

ruleset d: DATA do
  startstate "Start"
  begin
    for n: NODE do
      Cache[n].State := Invalid;
      Chan1[n].Cmd := Empty;
      Chan2[n].Cmd := Empty;
      Chan3[n].Cmd := Empty;
      InvSet[n] := false;
      ShrSet[n] := false;
    end;
    ExGntd := false;
    CurCmd := Empty;
    MemData := d;
    AuxData := d;
  end;
end;

-- The owner writes.

ruleset n: NODE; d: DATA do
  rule "Store"
    Cache[n].State = Exclusive
  ==>
  begin
    Cache[n].Data := d;
    AuxData := d;
  end;
end;

-- Requests.

ruleset n: NODE do
  rule "Ask for a shared copy"
    Chan1[n].Cmd = Empty & Cache[n].State = Invalid
  ==>
  begin
    Chan1[n].Cmd := ReqShared;
  end;

  rule "Ask for the exclusive copy"
    Chan1[n].Cmd = Empty & Cache[n].State != Exclusive
  ==>
  begin
    Chan1[n].Cmd := ReqExclusive;
  end;

  rule "Home takes up a request"
    CurCmd = Empty & Chan1[n].Cmd != Empty
  ==>
  begin
    CurCmd := Chan1[n].Cmd;
    CurPtr := n;
    Chan1[n].Cmd := Empty;
    for m: NODE do
      InvSet[m] := ShrSet[m];
    end;
  end;
end;

-- Invalidation.

ruleset n: NODE do
  rule "Home invalidates a copy"
    Chan2[n].Cmd = Empty & InvSet[n] &
    (CurCmd = ReqExclusive | (CurCmd = ReqShared & ExGntd))
  ==>
  begin
    Chan2[n].Cmd := Invalidate;
    InvSet[n] := false;
  end;

  rule "Cache gives up its copy"
    Chan2[n].Cmd = Invalidate & Chan3[n].Cmd = Empty
  ==>
  begin
    Chan2[n].Cmd := Empty;
    Chan3[n].Cmd := InvalidateAck;
    if Cache[n].State = Exclusive then
      Chan3[n].Data := Cache[n].Data;
    end;
    Cache[n].State := Invalid;
    undefine Cache[n].Data;
  end;

  rule "Home hears of it"
    Chan3[n].Cmd = InvalidateAck & CurCmd != Empty
  ==>
  begin
    Chan3[n].Cmd := Empty;
    ShrSet[n] := false;
    if ExGntd then
      ExGntd := false;
      MemData := Chan3[n].Data;
      undefine Chan3[n].Data;
    end;
  end;
end;

-- Grants.

ruleset n: NODE do
  rule "Home grants a shared copy"
    CurCmd = ReqShared & CurPtr = n & Chan2[n].Cmd = Empty & !ExGntd
  ==>
  begin
    Chan2[n].Cmd := GrantShared;
    Chan2[n].Data := MemData;
    ShrSet[n] := true;
    CurCmd := Empty;
    undefine CurPtr;
  end;

  rule "Home grants the exclusive copy"
    CurCmd = ReqExclusive & CurPtr = n & Chan2[n].Cmd = Empty & !ExGntd &
    forall m: NODE do !ShrSet[m] end
  ==>
  begin
    Chan2[n].Cmd := GrantExclusive;
    Chan2[n].Data := MemData;
    ShrSet[n] := true;
    ExGntd := true;
    CurCmd := Empty;
    undefine CurPtr;
  end;

  rule "Cache receives a shared copy"
    Chan2[n].Cmd = GrantShared
  ==>
  begin
    Cache[n].State := Shared;
    Cache[n].Data := Chan2[n].Data;
    Chan2[n].Cmd := Empty;
    undefine Chan2[n].Data;
  end;

  rule "Cache receives the exclusive copy"
    Chan2[n].Cmd = GrantExclusive
  ==>
  begin
    Cache[n].State := Exclusive;
    Cache[n].Data := Chan2[n].Data;
    Chan2[n].Cmd := Empty;
    undefine Chan2[n].Data;
  end;
end;

invariant "An exclusive copy is the only copy"
  forall a: NODE do
    forall b: NODE do
      a != b & Cache[a].State = Exclusive -> Cache[b].State = Invalid
    end
  end;

invariant "Memory is up to date unless a cache owns the line"
  !ExGntd -> MemData = AuxData;

invariant "Every copy is the value written last"
  forall n: NODE do
    Cache[n].State != Invalid -> Cache[n].Data = AuxData
  end;
