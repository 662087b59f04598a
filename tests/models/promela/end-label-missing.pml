/* The same without the label: it ends in a deadlock. */
/* noether: verdict=violated kinds=deadlock states=12 */
chan jobs = [1] of { byte };
active proctype Worker() {
  byte job;
  do
  :: jobs?job -> job++
  od
}
active proctype Boss() { jobs!1; jobs!2 }
