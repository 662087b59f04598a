/* A claim that asks for progress. */
/* noether: verdict=holds states=5 */
/* noether: claim=violated */
/* noether: progress=violated */
byte x;
active proctype Looper() {
  do
  :: (x == 0) -> x = 1; progress: x = 0
  :: (x == 0) -> x = 2; x = 0
  od
}
never {
  do
  :: true
  :: np_ -> goto accept_here
  od;
accept_here:
  do
  :: np_
  od
}
