/* Processes are started in a loop, die, and their numbers are used again. */
/* noether: verdict=holds states=160 */
byte alive, most;
proctype Child(byte depth) {
  alive++;
  if
  :: (depth > 0) -> run Child(depth - 1)
  :: (depth == 0)
  fi;
  alive--
}
init {
  byte i;
  do
  :: (i < 2 && _nr_pr < 3) -> run Child(i); i++
  :: (i == 2 && _nr_pr == 1) -> break
  od;
  assert(alive == 0)
}
