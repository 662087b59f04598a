/* A d_step that has begun is finished, also where the condition of the process turns false in it. */
/* noether: verdict=holds states=6 */
byte x, y;
active proctype Q() provided (x != 1) {
  d_step {
    x = 1;
    do
    :: x > 0 ->
       y++;
       if
       :: y > 3 -> x = 0
       :: else
       fi
    :: else -> break
    od
  };
  y = 3
}
active proctype R() {
  y == 3;
  x = 1
}
