/* cache.m for SPIN; every alternative is one step. "granted" is about cache 0. */
#ifndef N
#define N 3
#endif
#define NONE N
mtype = { I, S, E, M, Nothing, Read, Write };
mtype line[N] = I, ask[N] = Nothing;
bool recall[N], has_line;
byte recalls, client = NONE;   /* recalls: the number of those that are recalled, a function of recall */
hidden byte d;

active [N] proctype cache()
{
  do
  :: atomic { line[_pid] == I && ask[_pid] == Nothing -> ask[_pid] = Read }
  :: atomic { (line[_pid] == I || line[_pid] == S) && ask[_pid] == Nothing -> ask[_pid] = Write }
  :: atomic { line[_pid] == E && !recall[_pid] -> line[_pid] = M }
  :: atomic { line[_pid] == S && ask[_pid] == Nothing && !recall[_pid] -> line[_pid] = I }
  :: d_step { ask[_pid] != Nothing && client == NONE -> client = _pid;
       for (d : 0 .. N - 1) {
         if :: d != _pid && line[d] != I && (line[d] != S || ask[_pid] == Write) -> recall[d] = true; recalls++
            :: else fi } ; d = 0 }
  :: atomic { recall[_pid] -> recall[_pid] = false; recalls--;
       if :: ask[client] == Write -> line[_pid] = I :: else -> line[_pid] = S fi }
  :: atomic { client == _pid && recalls == 0 && !has_line -> has_line = true }
  :: atomic { client == _pid && has_line -> has_line = false;
       if :: ask[_pid] == Write -> line[_pid] = E :: else -> line[_pid] = S fi; ask[_pid] = Nothing; client = NONE }
  od
}

ltl granted { [] (ask[0] != Nothing -> <> (ask[0] == Nothing)) }
