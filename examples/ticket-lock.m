-- A ticket lock: whoever wants the lock draws a ticket, and waits until its number is shown.
--
-- Besides an invariant this model has properties of runs (ltl; docs/languages/properties.md): whoever waits gets in, and
-- nobody is overtaken. A process outside may do something else for ever. The first property therefore needs
-- fairness: a process that can always move does move at some time.
--
--   noether check examples/ticket-lock.m
--   noether check examples/ticket-lock.m -D N=6
--
-- What to expect: everything holds. Without the line "fairness" the first ltl property is violated, by a run in which one
-- process does something else for ever while the one whose turn it is never moves. The second is a safety property: it
-- does not need fairness.
--
-- noether: verdict=holds states=204 canonical=48 rules=612 canonical_rules=162
-- noether: rumur=no

const
  N: 3;

type
  Process: scalarset(N);
  Ticket: 0..N - 1;   -- N processes hold at most N tickets: the numbers may wrap around
  Place: enum { Outside, Waiting, Inside };

var
  place: array [Process] of Place;
  ticket: array [Process] of Ticket;   -- defined while it is held
  busy: array [Process] of boolean;    -- with something else
  printed, shown: Ticket;              -- the next one to be drawn, and the one whose turn it is

startstate "Nobody"
begin
  for p: Process do
    place[p] := Outside;
    undefine ticket[p];
    busy[p] := false;
  end;
  printed := 0;
  shown := 0;
end;

ruleset p: Process do
  rule "Do something else"
    place[p] = Outside
  ==>
    busy[p] := !busy[p];
  end;

  rule "Draw a ticket"
    place[p] = Outside & !busy[p]
  ==>
    ticket[p] := printed;
    printed := (printed + 1) % N;
    place[p] := Waiting;
  end;

  rule "Enter"
    place[p] = Waiting & ticket[p] = shown
  ==>
    place[p] := Inside;
  end;

  rule "Leave"
    place[p] = Inside
  ==>
    undefine ticket[p];
    shown := (shown + 1) % N;
    place[p] := Outside;
  end;
end;

fairness weak Process;

invariant "One at a time"
  forall p: Process do forall q: Process do
    p != q & place[p] = Inside -> place[q] != Inside
  end end;

ltl "Whoever waits gets in"
  forall p: Process do place[p] = Waiting leadsto place[p] = Inside end;

ltl "Nobody is overtaken"
  forall p: Process do forall q: Process do
    G (place[p] = Waiting & place[q] = Outside -> place[q] != Inside W place[p] = Inside)
  end end;
