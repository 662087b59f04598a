-- Readers and writers: readers read together, a writer writes alone. While a writer waits, no reader begins. The readers
-- are interchangeable, and so are the writers.
--
-- "written" holds under strong fairness of processes only: under weak fairness the writers may pass over one of them.
-- readers-writers.pml is the same system for SPIN, which has weak fairness.

const
  R: 3;
  W: 2;

type
  Reader: scalarset(R);
  Writer: scalarset(W);
  Place: enum { Away, Want, Inside };

var
  reader: array [Reader] of Place;
  writer: array [Writer] of Place;

startstate begin
  for r: Reader do reader[r] := Away end;
  for w: Writer do writer[w] := Away end;
end;

ruleset r: Reader do
  rule "want to read" reader[r] = Away ==> begin reader[r] := Want end;
  rule "read" reader[r] = Want & forall w: Writer do writer[w] = Away end ==> begin reader[r] := Inside end;
  rule "stop reading" reader[r] = Inside ==> begin reader[r] := Away end;
end;

ruleset w: Writer do
  rule "want to write" writer[w] = Away ==> begin writer[w] := Want end;
  rule "write"
    writer[w] = Want & forall r: Reader do reader[r] != Inside end & forall v: Writer do writer[v] != Inside end
  ==>
  begin
    writer[w] := Inside;
  end;
  rule "stop writing" writer[w] = Inside ==> begin writer[w] := Away end;
end;

ltl "written" forall w: Writer do writer[w] = Want leadsto writer[w] = Inside end;
