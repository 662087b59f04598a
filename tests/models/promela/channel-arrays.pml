/* An array of channels, whose index is received. */
/* noether: verdict=holds states=13 */
chan lane[2] = [1] of { byte };
active [2] proctype Car() {
  byte where;
  lane[1 - _pid]!_pid;
  lane[_pid]?where;
  lane[where]!3
}
