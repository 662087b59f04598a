/* token-ring.m for SPIN; every alternative is one step. "served" is about node 0. */
#ifndef N
#define N 3
#endif
mtype = { Rest, Busy, Want, Use };
mtype at[N] = Rest;
byte token;   /* token-ring.m begins with any node: the states that are reached are the same */

active [N] proctype node()
{
  do
  :: atomic { at[_pid] == Rest && token != _pid -> at[_pid] = Busy }
  :: atomic { at[_pid] == Busy && token != _pid -> at[_pid] = Rest }
  :: atomic { at[_pid] == Rest && token != _pid -> at[_pid] = Want }
  :: atomic { token == _pid && (at[_pid] == Rest || at[_pid] == Busy) -> token = (token + 1) % N }
  :: atomic { token == _pid && at[_pid] == Want -> at[_pid] = Use }
  :: atomic { at[_pid] == Use -> at[_pid] = Rest; token = (_pid + 1) % N }
  od
}

ltl served { [] (at[0] == Want -> <> (at[0] == Use)) }
