/* enabled(who) where `who` is never the process that asks, because what stands before && is false then. */
/* noether: verdict=holds states=21 */
byte l, who;
active proctype Q() {
  do
  :: l == 1 -> l = 0; who = 1
  od
}
active proctype P() {
  do
  :: who == 0 && enabled(who) -> l = 0
  :: l = 1
  od
}
