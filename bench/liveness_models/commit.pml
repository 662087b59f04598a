/* commit.m for SPIN, up to ten participants; every alternative is one step. "decided" is about participant 0. */
#ifndef N
#define N 3
#endif
mtype = { Working, Prepared, Committed, Aborted, Nothing, Yes, No, Open, Commit, Abort };
mtype state[N] = Working, mail[N] = Nothing, decision = Open;
bool asked[N];
byte yes;

active [N] proctype participant()
{
  do
  :: atomic { state[_pid] == Working -> state[_pid] = Prepared; mail[_pid] = Yes }
  :: atomic { state[_pid] == Working -> state[_pid] = Aborted; mail[_pid] = No }
  :: atomic { state[_pid] == Prepared && decision == Open -> asked[_pid] = !asked[_pid] }
  :: atomic { state[_pid] == Prepared && decision != Open ->
       if :: decision == Commit -> state[_pid] = Committed :: else -> state[_pid] = Aborted fi; asked[_pid] = false }
  od
}

#define COUNT(p) atomic { (p) < N && mail[(p) % N] != Nothing && decision == Open -> \
                   if :: mail[(p) % N] == Yes -> yes++ :: else -> decision = Abort fi; mail[(p) % N] = Nothing }

active proctype coordinator()
{
  do
  :: COUNT(0) :: COUNT(1) :: COUNT(2) :: COUNT(3) :: COUNT(4) :: COUNT(5) :: COUNT(6) :: COUNT(7) :: COUNT(8) :: COUNT(9)
  :: atomic { decision == Open && yes == N -> decision = Commit }
  od
}

ltl decided { <> (state[0] == Committed || state[0] == Aborted) }
