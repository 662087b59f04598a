-- An election by majority among interchangeable processes: some stand, each has one vote, who has more than half of the
-- votes leads until it fails. If all have voted and nobody has a majority, or the leader fails, the next term begins.
--
-- "terms" (a term begins again and again) holds on all runs. "leaders" is violated, with or without fairness: votes may
-- be split in every term, hence the random delays of such protocols. Both have invariant atoms.
-- election.pml is the same system for SPIN.

const N: 3;

type
  Proc: scalarset(N);
  Role: enum { Follows, Stands, Leads };

var
  role: array [Proc] of Role;
  vote: array [Proc] of Proc;         -- undefined: not yet
  votes: array [Proc] of 0..N;        -- those received
  cast: 0..N;

procedure begin_term();
begin
  for p: Proc do
    role[p] := Follows;
    undefine vote[p];
    votes[p] := 0;
  end;
  cast := 0;
end;

startstate begin begin_term() end;

ruleset p: Proc do
  rule "stand" role[p] = Follows & isundefined(vote[p]) ==>
  begin
    role[p] := Stands;
    vote[p] := p;
    votes[p] := 1;
    cast := cast + 1;
  end;

  ruleset c: Proc do
    rule "vote" role[p] = Follows & isundefined(vote[p]) & role[c] = Stands ==>
    begin
      vote[p] := c;
      votes[c] := votes[c] + 1;
      cast := cast + 1;
    end;
  end;

  rule "win" role[p] = Stands & 2 * votes[p] > N ==> begin role[p] := Leads end;

  rule "no majority" role[p] = Stands & cast = N & forall q: Proc do 2 * votes[q] <= N end ==> begin begin_term() end;

  rule "fail" role[p] = Leads ==> begin begin_term() end;
end;

ltl "terms" G F cast = 0;
ltl "leaders" G F exists p: Proc do role[p] = Leads end;
