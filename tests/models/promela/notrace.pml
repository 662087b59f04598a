/* A notrace assertion that is never met: it is about the first events only. */
/* noether: verdict=holds states=6 */
mtype = { go, stop };
chan q = [1] of { mtype };
active proctype P() { do :: q!go :: q!stop od }
active proctype Q() { do :: q?go :: q?stop od }
notrace {
  q!go; q?go; q?stop
}
