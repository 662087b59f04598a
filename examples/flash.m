-- A protocol in the manner of the Stanford FLASH multiprocessor: forwarding, eager grants, negative answers.
--
-- FLASH's protocol (Kuskin et al., 1994) is the classical hard case of verification. This model keeps what makes it hard: home
-- forwards requests to the owner, grants the exclusive copy before the invalidations are acknowledged, and whoever
-- cannot serve a request says so (Nak) and it is made again. It leaves out the short cuts for home's own processor
-- and the replacement hints. One of the nodes is home, any of them: `home` is a variable of the scalarset type.
--
--   noether check examples/flash.m
--   noether check examples/flash.m -D NODES=4
--
-- What to expect: every property holds.
--
-- noether: verdict=holds states=328860 canonical=27870 rules=1685514 canonical_rules=142707
-- noether: rumur=yes

const
  NODES: 3;
  VALUES: 2;

type
  Node: scalarset(NODES);
  Value: scalarset(VALUES);
  CacheState: enum { Invalid, Shared, Exclusive };
  Request: enum { None, Get, GetX };
  Command: enum { Nothing, ReadReq, WriteReq, ReadReply, WriteReply, Nak };
  Unicast: record           -- a request on its way, or its answer
    cmd: Command;
    at: Node;               -- requests: the node it goes to
    forwarded: boolean;     -- by home, to the owner
    value: Value;           -- answers
  end;
  Invalidation: enum { Quiet, Inv, InvAck };
  HomeCommand: enum { Silent, SharingWriteBack, Transfer, Failed };

var
  home: Node;

  cache: array [Node] of record state: CacheState; value: Value; end;
  asked: array [Node] of Request;
  spoilt: array [Node] of boolean;    -- an invalidation came while a read was under way

  request: array [Node] of Unicast;
  inv: array [Node] of Invalidation;
  writeback: record sent: boolean; value: Value; end;
  note: record                        -- from an owner that was sent a forwarded request
    cmd: HomeCommand;
    requester: Node;
    value: Value;
  end;

  memory: Value;
  pending: boolean;                   -- home waits for notes or acknowledgements
  dirty: boolean;
  owner: Node;
  sharer: array [Node] of boolean;

  latest: Value;                      -- ghost: the value written last

procedure Refuse(n: Node);
begin
  undefine request[n];
  request[n].cmd := Nak;
end;

procedure Answer(n: Node; c: Command; v: Value);
begin
  undefine request[n];
  request[n].cmd := c;
  request[n].value := v;
end;

procedure Forward(n: Node);
begin
  pending := true;
  request[n].at := owner;
  request[n].forwarded := true;
end;

procedure Finish(n: Node);
begin
  undefine request[n];
  request[n].cmd := Nothing;
  asked[n] := None;
  spoilt[n] := false;
end;

ruleset h: Node; v: Value do
  startstate "Quiet"
  begin
    home := h;
    for n: Node do
      cache[n].state := Invalid;
      asked[n] := None;
      spoilt[n] := false;
      request[n].cmd := Nothing;
      inv[n] := Quiet;
      sharer[n] := false;
    end;
    writeback.sent := false;
    note.cmd := Silent;
    memory := v;
    pending := false;
    dirty := false;
    latest := v;
  end;
end;

-- Processors.

ruleset n: Node do
  rule "Ask to read" cache[n].state = Invalid & asked[n] = None ==>
  begin
    asked[n] := Get;
    request[n].cmd := ReadReq;
    request[n].at := home;
    request[n].forwarded := false;
  end;

  rule "Ask to write" cache[n].state = Invalid & asked[n] = None ==>
  begin
    asked[n] := GetX;
    request[n].cmd := WriteReq;
    request[n].at := home;
    request[n].forwarded := false;
  end;

  rule "Drop a shared copy" cache[n].state = Shared ==>
  begin
    cache[n].state := Invalid;
    undefine cache[n].value;
  end;

  rule "Write back" cache[n].state = Exclusive ==>
  begin
    assert !writeback.sent "one write-back at a time";
    writeback.sent := true;
    writeback.value := cache[n].value;
    cache[n].state := Invalid;
    undefine cache[n].value;
  end;

  ruleset v: Value do
    rule "Write" cache[n].state = Exclusive ==>
    begin
      cache[n].value := v;
      latest := v;
    end;
  end;
end;

-- Home serves requests.

ruleset n: Node do
  rule "Home refuses"
    (request[n].cmd = ReadReq | request[n].cmd = WriteReq) & !request[n].forwarded &
    (pending | (dirty & owner = n))
  ==>
  begin
    Refuse(n);
  end;

  rule "Home forwards"
    (request[n].cmd = ReadReq | request[n].cmd = WriteReq) & !request[n].forwarded &
    !pending & dirty & owner != n
  ==>
  begin
    Forward(n);
  end;

  rule "Home answers a read" request[n].cmd = ReadReq & !request[n].forwarded & !pending & !dirty ==>
  begin
    sharer[n] := true;
    Answer(n, ReadReply, memory);
  end;

  rule "Home answers a write" request[n].cmd = WriteReq & !request[n].forwarded & !pending & !dirty ==>
  begin
    sharer[n] := false;
    pending := exists m: Node do sharer[m] end;
    for m: Node do
      if sharer[m] then inv[m] := Inv; end;
      sharer[m] := false;
    end;
    dirty := true;
    owner := n;
    Answer(n, WriteReply, memory);
  end;
end;

-- The owner serves forwarded requests.

ruleset n: Node; o: Node do
  rule "Owner refuses"
    (request[n].cmd = ReadReq | request[n].cmd = WriteReq) & request[n].forwarded & request[n].at = o &
    cache[o].state != Exclusive
  ==>
  begin
    Refuse(n);
    note.cmd := Failed;
  end;

  rule "Owner answers a read"
    request[n].cmd = ReadReq & request[n].at = o & request[n].forwarded & cache[o].state = Exclusive
  ==>
  begin
    cache[o].state := Shared;
    note.cmd := SharingWriteBack;
    note.requester := n;
    note.value := cache[o].value;
    Answer(n, ReadReply, cache[o].value);
  end;

  rule "Owner answers a write"
    request[n].cmd = WriteReq & request[n].at = o & request[n].forwarded & cache[o].state = Exclusive
  ==>
  begin
    note.cmd := Transfer;
    note.requester := n;
    Answer(n, WriteReply, cache[o].value);
    cache[o].state := Invalid;
    undefine cache[o].value;
  end;
end;

-- Answers come in.

ruleset n: Node do
  rule "Read is answered" request[n].cmd = ReadReply ==>
  begin
    if !spoilt[n] then
      cache[n].state := Shared;
      cache[n].value := request[n].value;
    end;
    Finish(n);
  end;

  rule "Write is answered" request[n].cmd = WriteReply ==>
  begin
    cache[n].state := Exclusive;
    cache[n].value := request[n].value;
    Finish(n);
  end;

  rule "Refused" request[n].cmd = Nak ==>
  begin
    Finish(n);
  end;

  rule "Invalidated" inv[n] = Inv ==>
  begin
    inv[n] := InvAck;
    if cache[n].state = Shared then
      cache[n].state := Invalid;
      undefine cache[n].value;
    end;
    if asked[n] = Get then spoilt[n] := true; end;
  end;
end;

-- Home hears.

ruleset n: Node do
  rule "Home counts an acknowledgement" inv[n] = InvAck ==>
  begin
    inv[n] := Quiet;
    if forall m: Node do inv[m] = Quiet end then pending := false; end;
  end;
end;

rule "Home takes a write-back" writeback.sent ==>
begin
  memory := writeback.value;
  dirty := false;
  undefine owner;
  undefine writeback;
  writeback.sent := false;
end;

rule "Home takes a note" note.cmd != Silent ==>
begin
  pending := false;
  if note.cmd = SharingWriteBack then
    memory := note.value;
    dirty := false;
    sharer[owner] := true;
    sharer[note.requester] := true;
    undefine owner;
  elsif note.cmd = Transfer & dirty then
    owner := note.requester;       -- unless its write-back was faster than this note
  end;
  undefine note;
  note.cmd := Silent;
end;

invariant "One owner at most"
  forall m: Node do
    forall n: Node do
      cache[m].state = Exclusive & cache[n].state = Exclusive -> m = n
    end
  end;

invariant "The owner has the value written last"
  forall n: Node do cache[n].state = Exclusive -> cache[n].value = latest end;

invariant "A shared copy is up to date unless its invalidation is under way"
  forall n: Node do cache[n].state = Shared & inv[n] != Inv -> cache[n].value = latest end;

invariant "Clean memory is up to date"
  !dirty -> memory = latest;
