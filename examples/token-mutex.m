-- Mutual exclusion by a token: Figure 1 of Emerson and Wahl (CHARME 2003), the running example of generic
-- representatives.
--
-- The token is a shared variable that holds a process. When processes are counted, what remains of it is the place
-- where its process is; `noether reduce` makes the paper's Figure 2 of this model:
--
--   noether reduce examples/token-mutex.m
--
-- What to expect: one process in the critical section at most, and it has the token.
--
-- noether: verdict=holds states=96 canonical=12 rules=336 canonical_rules=42
-- noether: rumur=yes

const
  N: 4;

type
  Process: scalarset(N);
  Place: enum { Neutral, Trying, Critical };

var
  place: array [Process] of Place;
  token: Process;

ruleset first: Process do
  startstate "Everybody neutral"
  begin
    for p: Process do place[p] := Neutral; end;
    token := first;
  end;
end;

ruleset p: Process do
  rule "try" place[p] = Neutral ==> begin place[p] := Trying; end;

  rule "enter" place[p] = Trying & token = p ==> begin place[p] := Critical; end;

  ruleset next: Process do
    rule "leave" place[p] = Critical ==>
    begin
      place[p] := Neutral;
      token := next;
    end;
  end;
end;

invariant "Mutual exclusion"
  forall p: Process do forall q: Process do p != q -> !(place[p] = Critical & place[q] = Critical) end end;

invariant "Who is inside has the token"
  forall p: Process do place[p] = Critical -> token = p end;
