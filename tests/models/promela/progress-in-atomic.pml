/* A progress label that is only passed, inside an atomic sequence: there is no progress. */
/* noether: verdict=holds states=1 */
/* noether: progress=violated */
byte y = 1;
active proctype P() {
  do
  :: atomic { y = 1; progress1: y = 2; y = 1 }
  :: y != 0
  od
}
