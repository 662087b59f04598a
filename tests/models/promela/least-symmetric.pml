/* Processes that exchange the ends of int: the least one is a value of a local like any other. */
/* noether: verdict=holds states=188 symmetry=2 */
int g = -2147483647;
active [2] proctype P() {
  int mine;
  do
  :: mine = g - 1;
    if :: mine < g -> g = mine :: else -> g = mine + 1 fi;
    mine = (mine == g -> 2147483647 : mine);
    assert(mine > 0 || mine < g || g < 0)
  od
}
