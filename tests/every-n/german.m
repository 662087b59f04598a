-- German's cache coherence protocol without data: see examples/german.m for what the variables mean.
const
  NODE_NUM: 4;

type
  NODE: scalarset(NODE_NUM);

  CACHE_STATE: enum { Invalid, Shared, Exclusive };

  COMMAND: enum { Empty, ReqShared, ReqExclusive, Invalidate, InvalidateAck, GrantShared, GrantExclusive };

var
  Cache: array [NODE] of CACHE_STATE;
  Chan1, Chan2, Chan3: array [NODE] of COMMAND;
  InvSet: array [NODE] of boolean;   -- caches home still has to invalidate
  ShrSet: array [NODE] of boolean;   -- caches home believes to hold a copy
  ExGntd: boolean;                   -- is the one copy exclusive?
  CurCmd: COMMAND;                   -- the request being served
  CurPtr: NODE;                      -- who made it; undefined when none is served

startstate "Start"
begin
  for n: NODE do
    Cache[n] := Invalid;
    Chan1[n] := Empty;
    Chan2[n] := Empty;
    Chan3[n] := Empty;
    InvSet[n] := false;
    ShrSet[n] := false;
  end;
  ExGntd := false;
  CurCmd := Empty;
end;


ruleset n: NODE do
  rule "Ask for a shared copy"
    Chan1[n] = Empty & Cache[n] = Invalid
  ==>
  begin
    Chan1[n] := ReqShared;
  end;

  rule "Ask for the exclusive copy"
    Chan1[n] = Empty & Cache[n] != Exclusive
  ==>
  begin
    Chan1[n] := ReqExclusive;
  end;

  rule "Home takes up a request"
    CurCmd = Empty & Chan1[n] != Empty
  ==>
  begin
    CurCmd := Chan1[n];
    CurPtr := n;
    Chan1[n] := Empty;
    for m: NODE do
      InvSet[m] := ShrSet[m];
    end;
  end;
end;


ruleset n: NODE do
  rule "Home invalidates a copy"
    Chan2[n] = Empty & InvSet[n] &
    (CurCmd = ReqExclusive | (CurCmd = ReqShared & ExGntd))
  ==>
  begin
    Chan2[n] := Invalidate;
    InvSet[n] := false;
  end;

  rule "Cache gives up its copy"
    Chan2[n] = Invalidate & Chan3[n] = Empty
  ==>
  begin
    Chan2[n] := Empty;
    Chan3[n] := InvalidateAck;
    Cache[n] := Invalid;
  end;

  rule "Home hears of it"
    Chan3[n] = InvalidateAck & CurCmd != Empty
  ==>
  begin
    Chan3[n] := Empty;
    ShrSet[n] := false;
    if ExGntd then
      ExGntd := false;
      end;
  end;
end;


ruleset n: NODE do
  rule "Home grants a shared copy"
    CurCmd = ReqShared & CurPtr = n & Chan2[n] = Empty & !ExGntd
  ==>
  begin
    Chan2[n] := GrantShared;
    ShrSet[n] := true;
    CurCmd := Empty;
    undefine CurPtr;
  end;

  rule "Home grants the exclusive copy"
    CurCmd = ReqExclusive & CurPtr = n & Chan2[n] = Empty & !ExGntd &
    forall m: NODE do !ShrSet[m] end
  ==>
  begin
    Chan2[n] := GrantExclusive;
    ShrSet[n] := true;
    ExGntd := true;
    CurCmd := Empty;
    undefine CurPtr;
  end;

  rule "Cache receives a shared copy"
    Chan2[n] = GrantShared
  ==>
  begin
    Cache[n] := Shared;
    Chan2[n] := Empty;
  end;

  rule "Cache receives the exclusive copy"
    Chan2[n] = GrantExclusive
  ==>
  begin
    Cache[n] := Exclusive;
    Chan2[n] := Empty;
  end;
end;

invariant "An exclusive copy is the only copy"
  forall a: NODE do
    forall b: NODE do
      a != b & Cache[a] = Exclusive -> Cache[b] = Invalid
    end
  end;
