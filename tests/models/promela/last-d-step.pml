/* A d_step is one move: inside, _last is who moved before it. In an atomic sequence each statement is one. */
/* noether: verdict=holds states=11 */
byte x;
active proctype P() {
  do
  :: d_step { x == 0 -> x = 1; if :: _last == 0 -> x = 2 :: else -> x = 3 fi }
  :: atomic { x == 2 -> x = 4; if :: _last == 0 -> x = 5 :: else -> x = 6 fi }
  od
}
active proctype Q() {
  do
  :: x > 2 -> x = 0
  :: x == 2 -> skip
  od
}
