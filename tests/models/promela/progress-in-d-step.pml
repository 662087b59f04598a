/* A progress label inside a d_step: there is no progress. */
/* noether: verdict=holds states=1 */
/* noether: progress=violated */
byte y = 1;
active proctype P() {
  do
  :: d_step { y = 1; progress1: y = 2; y = 1 }
  od
}
