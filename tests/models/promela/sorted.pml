/* Sorted sends and random receives. */
/* noether: verdict=holds states=9 */
chan q = [3] of { byte, bit };
byte got;
active proctype Sender() {
  q!!2,1;
  q!!1,1;
  q!!2,0;
  q?got,_;
  assert(got == 1);
  q??got,1;
  assert(got == 2 && len(q) == 1)
}
