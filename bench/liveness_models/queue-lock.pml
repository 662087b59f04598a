/* queue-lock.m for SPIN; every alternative is one step. "served" is about process 0. */
#ifndef N
#define N 3
#endif
#define NONE N
mtype = { Away, Link, Spin, Crit, Leave };
mtype at[N] = Away;
byte pred[N] = NONE, next[N] = NONE, tail = NONE;
bool handed[N], busy[N];

active [N] proctype process()
{
  do
  :: atomic { at[_pid] == Away -> busy[_pid] = !busy[_pid] }
  :: atomic { at[_pid] == Away -> busy[_pid] = false; pred[_pid] = tail;
       if :: tail == NONE -> at[_pid] = Crit :: else -> at[_pid] = Link fi; tail = _pid }
  :: atomic { at[_pid] == Link -> next[pred[_pid]] = _pid; pred[_pid] = NONE; at[_pid] = Spin }
  :: atomic { at[_pid] == Spin && handed[_pid] -> handed[_pid] = false; at[_pid] = Crit }
  :: atomic { at[_pid] == Crit -> at[_pid] = Leave }
  :: atomic { at[_pid] == Leave && next[_pid] != NONE -> handed[next[_pid]] = true; next[_pid] = NONE; at[_pid] = Away }
  :: atomic { at[_pid] == Leave && next[_pid] == NONE && tail == _pid -> tail = NONE; at[_pid] = Away }
  od
}

ltl served { [] (at[0] == Link -> <> (at[0] == Crit)) }
