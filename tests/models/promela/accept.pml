/* A cycle through an acceptance label. */
/* noether: verdict=holds states=4 */
/* noether: accept=violated */
byte x;
active proctype Looper() {
  do
  :: (x == 0) -> x = 1
  :: (x == 1) -> accept: x = 0
  od
}
