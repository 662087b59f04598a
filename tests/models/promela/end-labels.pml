/* A process may wait for ever at an end label. */
/* noether: verdict=holds states=12 */
chan jobs = [1] of { byte };
active proctype Worker() {
  byte job;
end_idle:
  do
  :: jobs?job -> job++
  od
}
active proctype Boss() { jobs!1; jobs!2 }
