/* A claim that is met by a cycle. */
/* noether: verdict=holds states=2 */
/* noether: claim=violated */
bit p;
active proctype Looper() { do :: p = 1 - p od }
never {
  do
  :: true
  :: (p) -> break
  od;
accept:
  do
  :: (p || !p)
  od
}
