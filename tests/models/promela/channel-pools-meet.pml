/* A parameter that is a buffered channel or a rendezvous channel: a send on the latter waits for ever. */
/* noether: verdict=violated kinds=deadlock states=12 */
chan q0 = [2] of { byte };
chan q1 = [0] of { byte };

proctype P(chan c) {
  c!0;
  assert(c == q0)
}

proctype R(chan c) {
  c?0;
  assert(c == q0)
}

init {
  q0!0;
  q0!0;
  atomic {
    run R(q0);
    run R(q1);
    run P(q0)
  }
}
