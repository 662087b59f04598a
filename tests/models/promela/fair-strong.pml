/* A semaphore: weak fairness does not let everybody in, strong fairness does. fair: is asked for. */
/* noether: verdict=holds states=10 */
/* noether: ltl first=violated fair:first=violated */
/* noether: ltl some=holds fair:some=holds */
bit free = 1;
bit inside[3];
active [3] proctype User() {
  do
  :: atomic { free -> free = 0 };
     inside[_pid] = 1;
     inside[_pid] = 0;
     free = 1
  od
}
ltl first { [] <> (inside[0] == 1) }
ltl some { [] <> (inside[0] + inside[1] + inside[2] > 0) }
