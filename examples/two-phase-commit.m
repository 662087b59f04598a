-- Two-phase commit (Gray, 1978), with participants that crash and recover.
--
-- The coordinator asks every participant to prepare; each votes. All yes: commit; a single no, or a participant that
-- does not answer: abort. A participant that has voted yes must wait for the decision, crash or not.
--
--   noether check examples/two-phase-commit.m
--   noether check examples/two-phase-commit.m -D PARTICIPANTS=8
--
-- What to expect: no two participants ever decide differently, and none commits against the vote of another.
--
-- noether: verdict=holds states=135457 canonical=7736 rules=863384 canonical_rules=49451
-- noether: rumur=yes

const
  PARTICIPANTS: 4;

type
  Participant: scalarset(PARTICIPANTS);
  State: enum { Working, Prepared, Committed, Aborted };
  Mail: enum { Nothing, Prepare, VoteYes, VoteNo, DoCommit, DoAbort };
  Decision: enum { Open, Commit, Abort };

var
  state: array [Participant] of State;
  up: array [Participant] of boolean;
  mail: array [Participant] of Mail;          -- one message at a time between coordinator and participant
  yes: array [Participant] of boolean;        -- votes the coordinator has counted
  decision: Decision;

startstate "Asked"
begin
  for p: Participant do
    state[p] := Working;
    up[p] := true;
    mail[p] := Prepare;
    yes[p] := false;
  end;
  decision := Open;
end;

-- Participants.

ruleset p: Participant do
  rule "Vote yes" up[p] & mail[p] = Prepare & state[p] = Working ==>
  begin
    state[p] := Prepared;
    mail[p] := VoteYes;
  end;

  rule "Vote no" up[p] & mail[p] = Prepare & state[p] = Working ==>
  begin
    state[p] := Aborted;
    mail[p] := VoteNo;
  end;

  rule "Obey" up[p] & (mail[p] = DoCommit | mail[p] = DoAbort) ==>
  begin
    if state[p] != Aborted then
      state[p] := mail[p] = DoCommit ? Committed : Aborted;
    end;
    mail[p] := Nothing;
  end;

  rule "Crash" up[p] ==>
  begin
    up[p] := false;
    if state[p] = Working then state[p] := Aborted; end;   -- what was not promised is rolled back
  end;

  rule "Recover" !up[p] ==>
  begin
    up[p] := true;
    if mail[p] = Prepare then mail[p] := VoteNo; end;
  end;
end;

-- The coordinator.

ruleset p: Participant do
  rule "Count a yes" decision = Open & mail[p] = VoteYes ==>
  begin
    yes[p] := true;
    mail[p] := Nothing;
  end;

  rule "Hear a no or lose patience" decision = Open & (mail[p] = VoteNo | !up[p]) ==>
  begin
    decision := Abort;
  end;

  rule "Tell the decision"
    decision != Open & (mail[p] = Nothing | mail[p] = VoteYes | mail[p] = VoteNo | mail[p] = Prepare) &
    state[p] != Committed & state[p] != Aborted
  ==>
  begin
    mail[p] := decision = Commit ? DoCommit : DoAbort;
  end;
end;

rule "Commit" decision = Open & forall p: Participant do yes[p] end ==>
begin
  decision := Commit;
end;

invariant "Agreement"
  forall p: Participant do
    forall q: Participant do
      !(state[p] = Committed & state[q] = Aborted)
    end
  end;

invariant "Commit means that all said yes"
  decision = Commit -> forall p: Participant do yes[p] end;
