/* A progress label that nobody reaches. */
/* noether: verdict=holds states=2 */
/* noether: progress=violated */
byte y = 1;
active proctype P() {
  do
  :: y = 1 - y
  od;
  progress: y = 3
}
