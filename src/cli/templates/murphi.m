-- A first model in Murphi: processes that share a lock. Try:
--   noether check FILE               the properties below, for all states
--   noether check FILE -D N=8        with more processes
--   noether simulate FILE            step through it
--   noether symmetry FILE            what is interchangeable
-- The language: docs/languages/murphi.md (where that is: man noether, FILES)

const
  N: 3;  -- how many processes; -D N=4 gives another value

type
  Process: scalarset(N);  -- interchangeable: no rule may prefer one of them
  Place: enum { Idle, Waiting, Critical };

var  -- a state is a value of each of these
  at: array [Process] of Place;
  locked: boolean;

startstate "all idle"
begin
  for p: Process do at[p] := Idle; end;
  locked := false;
end;

ruleset p: Process do  -- a rule for each process: GUARD ==> begin STATEMENTS end
  rule "ask" at[p] = Idle ==>
  begin
    at[p] := Waiting;
  end;

  -- Leave out "!locked &" and check again: the counterexample says how two processes get in.
  rule "enter" !locked & at[p] = Waiting ==>
  begin
    at[p] := Critical;
    locked := true;
  end;

  rule "leave" at[p] = Critical ==>
  begin
    at[p] := Idle;
    locked := false;
  end;
end;

-- True in every reachable state.
invariant "mutual exclusion"
  forall p: Process do forall q: Process do
    p != q -> !(at[p] = Critical & at[q] = Critical)
  end end;

-- Some reachable state has it: a model in which nothing happens keeps every invariant.
cover "someone gets in"
  exists p: Process do at[p] = Critical end;
