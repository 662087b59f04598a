-- Whoever has had a turn may take the next one, too: the other waits for ever, and a loop shows it.
--
-- noether: verdict=violated kind=ctl property="everybody gets it" trace_length=2 states=3 canonical=2
-- noether: rumur=no
type P: scalarset(2);
var turn: P; busy: array [P] of boolean;
startstate begin clear busy; undefine turn; end;
ruleset p: P do
  rule "go" isundefined(turn) ==> begin turn := p; busy[p] := true; end;
  rule "stop" !isundefined(turn) & turn = p ==> begin undefine turn; busy[p] := false; end;
end;
ctl "everybody gets it" AG forall p: P do AF busy[p] end;
