/* A jump to an atomic sequence from within it: others may move in between. */
/* noether: verdict=holds states=12 */
byte x;
active [2] proctype Counter() {
again:
  atomic {
    x++;
    if
    :: (x < 3) -> goto again
    :: else -> x = 0
    fi;
    x = x + 1
  }
}
