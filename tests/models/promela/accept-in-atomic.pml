/* An accept label that is only passed, inside an atomic sequence, does not count. */
/* noether: verdict=holds states=2 */
/* noether: accept=holds */
byte y = 1;
active proctype P() {
  do
  :: y = 0; atomic { y = 5; accept1: y = 4; y = 1 }
  od
}
