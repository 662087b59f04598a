/* A process is removed after those that were started later. */
/* noether: verdict=holds states=16 */
byte n;
proctype Short(byte k) { n = n + k }
init {
  run Short(1);
  run Short(2);
  (_nr_pr == 1);
  assert(n == 3)
}
