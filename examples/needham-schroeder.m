-- The Needham-Schroeder public-key protocol, and Lowe's attack on it (Lowe, 1995).
--
--   1.  A -> B   { Na, A }  for B          A nonce and who sends it.
--   2.  B -> A   { Na, Nb } for A          Only B could read Na.        With Lowe's fix: { Na, Nb, B }
--   3.  A -> B   { Nb }     for B          Only A could read Nb.
--
-- The network is the intruder: whatever is sent it hears, whatever is received comes from it. It is an honest partner in
-- sessions of its own, keeps what it cannot decrypt, and makes up messages from the nonces it knows. Nonces are named after
-- the agents that make them.
--
--   noether check examples/needham-schroeder.m --deadlock off
--   noether check examples/needham-schroeder.m --deadlock off -D LOWE_FIX=1
--
-- What to expect: without the fix "B's partner has indeed talked to B" is violated in four steps: A starts with
-- the intruder, who starts with B in A's name. With the fix it holds. Every run ends, so there is no deadlock check.
--
-- noether: verdict=violated deadlock=off property="B's partner has indeed talked to B" trace_length=4
-- noether: with LOWE_FIX=1 verdict=holds deadlock=off states=21 canonical=21 rules=78 canonical_rules=78
-- noether: with LOWE_FIX=1 INITIATORS=2 RESPONDERS=2 verdict=holds deadlock=off states=1703 canonical=464 rules=19754 canonical_rules=5530
-- noether: rumur=no

const
  INITIATORS: 1;
  RESPONDERS: 1;
  LOWE_FIX: 0;

type
  Initiator: scalarset(INITIATORS);
  Responder: scalarset(RESPONDERS);
  Intruder: scalarset(1);
  Agent: union { Initiator, Responder, Intruder };

  Progress: enum { Asleep, Waiting, Committed };
  Kind: enum { First, Second, Third };
  Message: record
    kind: Kind;
    key: Agent;      -- who can read it
    nonce: Agent;
    other: Agent;    -- 1: the sender; 2: the second nonce; 3: again the nonce
    sender: Agent;   -- 2 with Lowe's fix: the responder; else again the nonce
  end;

var
  initiator: array [Initiator] of record progress: Progress; partner: Agent; end;
  responder: array [Responder] of record progress: Progress; partner: Agent; end;
  known: array [Agent] of boolean;                               -- nonces the intruder knows
  heard: multiset [2 * INITIATORS + RESPONDERS] of Message;      -- messages it cannot read

procedure Send(kind: Kind; key: Agent; nonce: Agent; other: Agent; sender: Agent);
  var m: Message;
begin
  if ismember(key, Intruder) then
    known[nonce] := true;
    if kind = Second then known[other] := true; end;
  else
    m.kind := kind;
    m.key := key;
    m.nonce := nonce;
    m.other := other;
    m.sender := sender;
    multisetadd(m, heard);
  end;
end;

procedure ResponderHearsFirst(r: Responder; nonce: Agent; claimed: Agent);
begin
  if responder[r].progress = Asleep then
    responder[r].progress := Waiting;
    responder[r].partner := claimed;
    if LOWE_FIX = 1 then
      Send(Second, claimed, nonce, r, r);
    else
      Send(Second, claimed, nonce, r, nonce);
    end;
  end;
end;

procedure InitiatorHearsSecond(i: Initiator; nonce: Agent; other: Agent; sender: Agent);
begin
  if initiator[i].progress = Waiting & nonce = i & (LOWE_FIX = 0 | sender = initiator[i].partner) then
    initiator[i].progress := Committed;
    Send(Third, initiator[i].partner, other, other, other);
  end;
end;

procedure ResponderHearsThird(r: Responder; nonce: Agent);
begin
  if responder[r].progress = Waiting & nonce = r then
    responder[r].progress := Committed;
  end;
end;

startstate "Nobody has spoken"
begin
  for i: Initiator do
    initiator[i].progress := Asleep;
    known[i] := false;
  end;
  for r: Responder do
    responder[r].progress := Asleep;
    known[r] := false;
  end;
  for x: Intruder do known[x] := true; end;
end;

ruleset i: Initiator; p: Agent do
  rule "Initiator starts a session" initiator[i].progress = Asleep & !ismember(p, Initiator) ==>
  begin
    initiator[i].progress := Waiting;
    initiator[i].partner := p;
    Send(First, p, i, i, i);
  end;
end;

choose m: heard do
  alias message: heard[m] do
    ruleset r: Responder do
      rule "Intruder replays a first message" message.kind = First & message.key = r ==>
      begin
        ResponderHearsFirst(r, message.nonce, message.other);
      end;

      rule "Intruder replays a third message" message.kind = Third & message.key = r ==>
      begin
        ResponderHearsThird(r, message.nonce);
      end;
    end;

    ruleset i: Initiator do
      rule "Intruder replays a second message" message.kind = Second & message.key = i ==>
      begin
        InitiatorHearsSecond(i, message.nonce, message.other, message.sender);
      end;
    end;
  end;
end;

ruleset r: Responder; n: Agent; claimed: Agent do
  rule "Intruder makes up a first message" known[n] & responder[r].progress = Asleep & !ismember(claimed, Responder) ==>
  begin
    ResponderHearsFirst(r, n, claimed);
  end;
end;

ruleset i: Initiator; n: Agent; claimed: Agent do
  rule "Intruder makes up a second message"
    known[n] & known[i] & initiator[i].progress = Waiting
  ==>
  begin
    InitiatorHearsSecond(i, i, n, claimed);
  end;
end;

ruleset r: Responder do
  rule "Intruder makes up a third message" known[r] & responder[r].progress = Waiting ==>
  begin
    ResponderHearsThird(r, r);
  end;
end;

invariant "B's partner has indeed talked to B"
  forall r: Responder do
    responder[r].progress = Committed ->
      forall i: Initiator do
        responder[r].partner = i -> initiator[i].progress = Committed & initiator[i].partner = r
      end
  end;

invariant "A's partner has indeed heard of A"
  forall i: Initiator do
    initiator[i].progress = Committed ->
      forall r: Responder do
        initiator[i].partner = r -> responder[r].progress != Asleep & responder[r].partner = i
      end
  end;
