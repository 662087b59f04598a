/* allocator.m for SPIN; every alternative is one step. "served" is about process 0. */
#ifndef N
#define N 4
#endif
#ifndef K
#define K 2
#endif
mtype = { Work, Rest, Want, Use };
mtype at[N] = Work;
byte left = K;

active [N] proctype process()
{
  do
  :: atomic { at[_pid] == Work -> at[_pid] = Rest }
  :: atomic { at[_pid] == Rest -> at[_pid] = Want }
  :: atomic { at[_pid] == Want && left > 0 -> at[_pid] = Use; left-- }
  :: atomic { at[_pid] == Use -> at[_pid] = Work; left++ }
  od
}

ltl served { [] (at[0] == Want -> <> (at[0] == Use)) }
