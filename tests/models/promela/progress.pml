/* A cycle without a progress label. */
/* noether: verdict=holds states=5 */
/* noether: progress=violated */
byte x;
active proctype Looper() {
  do
  :: (x == 0) -> x = 1; progress: x = 0
  :: (x == 0) -> x = 2; x = 0
  od
}
