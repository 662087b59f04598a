/* election.m for SPIN, up to ten processes; every alternative is one step. */
#ifndef N
#define N 3
#endif
#define NONE N
mtype = { Follows, Stands, Leads };
mtype role[N] = Follows;
byte vote[N] = NONE, votes[N], cast;
bool led;                       /* somebody leads: a function of role */
bool split;                     /* all have voted, and nobody has a majority: a function of votes */
hidden byte d;

inline cast_for(c)
{
  vote[_pid] = c; votes[c]++; cast++;
  split = cast == N;
  for (d : 0 .. N - 1) { split = split && 2 * votes[d] <= N }
  d = 0
}

inline begin_term()
{
  for (d : 0 .. N - 1) { role[d] = Follows; vote[d] = NONE; votes[d] = 0 }
  d = 0; cast = 0; led = false; split = false
}

#define MAY_VOTE (role[_pid] == Follows && vote[_pid] == NONE)
#define VOTE(c) atomic { (c) < N && MAY_VOTE && role[(c) % N] == Stands -> cast_for((c) % N) }

active [N] proctype process()
{
  do
  :: atomic { MAY_VOTE -> role[_pid] = Stands; cast_for(_pid) }
  :: VOTE(0) :: VOTE(1) :: VOTE(2) :: VOTE(3) :: VOTE(4) :: VOTE(5) :: VOTE(6) :: VOTE(7) :: VOTE(8) :: VOTE(9)
  :: atomic { role[_pid] == Stands && 2 * votes[_pid] > N -> role[_pid] = Leads; led = true }
  :: atomic { role[_pid] == Stands && split -> begin_term() }
  :: atomic { role[_pid] == Leads -> begin_term() }
  od
}

ltl terms { [] <> (cast == 0) }
ltl leaders { [] <> led }
