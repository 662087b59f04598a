/* barrier.m for SPIN; every alternative is one step. "passed" is about process 0. */
#ifndef N
#define N 3
#endif
#ifndef SENSE
#define SENSE true
#endif
mtype = { Work, Ready, Wait };
mtype at[N] = Work;
bool sense[N], flag;
byte count;

active [N] proctype process()
{
  do
  :: atomic { at[_pid] == Work -> at[_pid] = Ready }
  :: atomic { at[_pid] == Ready ->
       if :: count == N - 1 -> count = 0; flag = SENSE && !flag; at[_pid] = Work
          :: else -> count++; sense[_pid] = SENSE && !flag; at[_pid] = Wait fi }
  :: atomic { at[_pid] == Wait && (SENSE -> flag == sense[_pid] : count == 0) -> sense[_pid] = false; at[_pid] = Work }
  od
}

ltl passed { [] (at[0] == Wait -> <> (at[0] == Work)) }
