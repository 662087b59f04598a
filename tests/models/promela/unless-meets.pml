/* An escape that receives has priority over a receive of the body, of the same rendezvous. */
/* noether: verdict=holds states=6 */
chan q = [0] of { byte };
active proctype A() {
  byte v = 1;
  { q?0 } unless { q?v };
  assert(v == 0)
}
active proctype B() { q!0 }
