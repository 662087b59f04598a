-- Readers and writers with priority for writers.
--
-- Readers share, writers exclude everybody, and a reader may not overtake a waiting writer. Besides an invariant this model
-- states two goals (cover: some reachable state satisfies them; a guard that can never be true is found this way) and a
-- liveness property (from every reachable state one can get to a state that satisfies it).
--
--   noether check examples/readers-writers.m
--   noether check examples/readers-writers.m -D READERS=20 -D WRITERS=10
--
-- What to expect: everything holds, and the number of canonical states grows with a small power of the
-- number of processes where the plain number is exponential.
--
-- noether: verdict=holds states=140 canonical=38 rules=479 canonical_rules=136
-- noether: rumur=yes

const
  READERS: 3;
  WRITERS: 2;

type
  Reader: scalarset(READERS);
  Writer: scalarset(WRITERS);
  Activity: enum { Outside, Waiting, Inside };

var
  reader: array [Reader] of Activity;
  writer: array [Writer] of Activity;
  readers: 0..READERS;   -- inside
  writing: boolean;
  queued: 0..WRITERS;    -- writers waiting

startstate "Empty"
begin
  for r: Reader do reader[r] := Outside; end;
  for w: Writer do writer[w] := Outside; end;
  readers := 0;
  writing := false;
  queued := 0;
end;

ruleset r: Reader do
  rule "Reader arrives" reader[r] = Outside ==>
  begin
    reader[r] := Waiting;
  end;

  rule "Reader enters" reader[r] = Waiting & !writing & queued = 0 ==>
  begin
    reader[r] := Inside;
    readers := readers + 1;
  end;

  rule "Reader leaves" reader[r] = Inside ==>
  begin
    reader[r] := Outside;
    readers := readers - 1;
  end;
end;

ruleset w: Writer do
  rule "Writer arrives" writer[w] = Outside ==>
  begin
    writer[w] := Waiting;
    queued := queued + 1;
  end;

  rule "Writer enters" writer[w] = Waiting & !writing & readers = 0 ==>
  begin
    writer[w] := Inside;
    queued := queued - 1;
    writing := true;
  end;

  rule "Writer leaves" writer[w] = Inside ==>
  begin
    writer[w] := Outside;
    writing := false;
  end;
end;

invariant "A writer is alone"
  forall w: Writer do
    writer[w] = Inside ->
      (forall r: Reader do reader[r] != Inside end) &
      (forall v: Writer do v != w -> writer[v] != Inside end)
  end;

cover "All readers inside together"
  readers = READERS;

cover "A writer waits behind a reader"
  readers > 0 & queued > 0;

liveness "It can always get quiet"
  readers = 0 & !writing & queued = 0;
