/* A label in front of the d_step that begins an option is that of where the d_step leads. */
/* noether: verdict=holds states=8 */
/* noether: accept=violated */
byte y = 1, z;
active proctype P() {
  do
  :: accept: d_step { y = 1; z = 1 }; z = 2
  :: y = 2; y = 3; z = 0
  od
}
