/* else is taken when nothing else in the process can move, whatever the others do. */
/* noether: verdict=holds states=24 */
byte x;
active proctype Waiter() {
  do
  :: (x == 2) -> break
  :: else -> x = 0
  od
}
active proctype Setter() { x = 1; x++; x = 2 }
