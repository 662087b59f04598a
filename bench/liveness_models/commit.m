-- Two-phase commit: interchangeable participants vote, the coordinator counts the votes and decides, and participants that
-- have voted yes ask for the decision until there is one.
--
-- "decided" holds under weak fairness of participants and coordinator; without, one participant may ask for ever while
-- nobody else moves. commit.pml is the same system for SPIN.

const N: 3;

type
  Participant: scalarset(N);
  Coordinator: scalarset(1);   -- a process of its own, for fairness
  State: enum { Working, Prepared, Committed, Aborted };
  Mail: enum { Nothing, Yes, No };
  Decision: enum { Open, Commit, Abort };

var
  state: array [Participant] of State;
  mail: array [Participant] of Mail;        -- a vote that is not counted yet
  asked: array [Participant] of boolean;    -- in vain, an odd number of times
  yes: 0..N;                                -- those counted
  decision: array [Coordinator] of Decision;

startstate begin
  for p: Participant do
    state[p] := Working;
    mail[p] := Nothing;
    asked[p] := false;
  end;
  yes := 0;
  for c: Coordinator do decision[c] := Open end;
end;

ruleset p: Participant do
  rule "vote yes" state[p] = Working ==> begin state[p] := Prepared; mail[p] := Yes end;
  rule "vote no" state[p] = Working ==> begin state[p] := Aborted; mail[p] := No end;
  rule "ask in vain" state[p] = Prepared & decision[Coordinator] = Open ==> begin asked[p] := !asked[p] end;
  rule "learn" state[p] = Prepared & decision[Coordinator] != Open ==>
  begin
    state[p] := decision[Coordinator] = Commit ? Committed : Aborted;
    asked[p] := false;
  end;
end;

ruleset c: Coordinator do
  ruleset p: Participant do
    rule "count" mail[p] != Nothing & decision[c] = Open ==>
    begin
      if mail[p] = Yes then yes := yes + 1; else decision[c] := Abort; end;
      mail[p] := Nothing;
    end;
  end;
  rule "decide" decision[c] = Open & yes = N ==> begin decision[c] := Commit end;
end;

ltl "decided" forall p: Participant do F (state[p] = Committed | state[p] = Aborted) end;
