/* A loop as the first statement of an option of another. */
/* noether: verdict=holds states=61 */
byte x;
bit y;
active proctype Spinner() {
  do
  :: do :: (x < 2) -> x++ :: (x == 2) -> x = 0; break od; y++
  :: (y == 1) -> break
  od
}
active proctype Other() { x = 1 }
