-- violated 3
-- A writer enters when there is a reader that leads; two of them do.
const N: 2;
type
  Thread: scalarset(N);
  Place: enum { Idle, Leads, Writes };
var
  pc: array [Thread] of Place;
startstate begin for t: Thread do pc[t] := Idle; end; end;
ruleset t: Thread do
  rule "lead" pc[t] = Idle ==> pc[t] := Leads; end;
  rule "write" pc[t] = Idle & exists u: Thread do u != t & pc[u] = Leads end ==> pc[t] := Writes; end;
end;
invariant "one writer" !exists t: Thread do exists u: Thread do t != u & pc[t] = Writes & pc[u] = Writes end end;
