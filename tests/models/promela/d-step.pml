/* A d_step takes the first option that is enabled, runs its loop to the end, and is one step. */
/* noether: verdict=holds states=10 */
byte x, y;
active [2] proctype Doer() {
  do
  :: d_step { (x < 3) -> x++; if :: (x > 0) -> y = y + 2 :: (x > 1) -> y = 0 fi; do :: (y > 3) -> y = y - 4 :: else -> break od }
  :: (x == 3) -> break
  od
}
