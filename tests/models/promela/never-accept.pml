/* With a claim a cycle through an acceptance label of a process counts where the claim can follow. */
/* noether: verdict=holds states=4 */
/* noether: claim=violated */
byte x;
active proctype Looper() {
  do
  :: (x == 0) -> x = 1
  :: (x == 1) -> accept: x = 0
  od
}
never {
  do
  :: (x < 2)
  od
}
