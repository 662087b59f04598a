/* Mutual exclusion by a semaphore, and who gets in. */
/* noether: verdict=holds states=7 */
/* noether: ltl safe=holds */
/* noether: ltl live=holds */
/* noether: ltl first=violated */
/* noether: ltl order=holds */
/* noether: ltl never_again=violated */
bit taken;
byte inside;
active [2] proctype User() {
  do
  :: atomic { !taken -> taken = 1 }
    inside++;
critical:
    inside--;
    taken = 0
  od
}
ltl safe { [] (inside <= 1) }
ltl live { [] <> (inside == 1) }
ltl first { [] <> (User[0]@critical) }
ltl order { ((inside == 0) U (taken == 1)) || [] (taken == 0) }
ltl never_again { (taken == 0) W (inside == 1) }
