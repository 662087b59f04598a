/* A label in front of the goto that begins an option is that of where it leads. */
/* noether: verdict=holds states=7 */
/* noether: accept=violated */
byte y = 1, z;
active proctype P() {
  L: y = 5;
  do
  :: y = 3; y = 2; z = 0
  :: accept: goto L
  od
}
