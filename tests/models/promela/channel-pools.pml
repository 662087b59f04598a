/* A channel variable over two kinds of channels, each declared once: a send goes into the channel that the variable holds. */
/* noether: verdict=holds states=11 */
chan q0 = [2] of { byte };
chan q1 = [1] of { byte };

active proctype P() {
  chan c = q1;
  if
  :: c = q0
  :: skip
  fi;
  c!0;
  assert(c != q0 || len(q0) == 1);
  assert(c != q1 || len(q1) == 1)
}
