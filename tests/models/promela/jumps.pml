/* When a jump is a step: first in an option, but not behind a statement. */
/* noether: verdict=holds states=41 */
byte x;
active proctype Runner() {
again:
  do
  :: (x < 2) -> x++; goto again
  :: goto out
  :: (x == 2) -> break
  :: break
  od;
  x = 7;
out:
}
active proctype Other() { x = 1 }
