/* A notrace assertion that is met. */
/* noether: verdict=violated kinds=trace states=6 */
mtype = { go, stop };
chan q = [1] of { mtype };
active proctype P() { do :: q!go :: q!stop od }
active proctype Q() { do :: q?go :: q?stop od }
notrace {
  do
  :: q!go -> q?go
  :: q!stop -> q?stop; break
  od
}
