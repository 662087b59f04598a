/* A run must not end in the middle of a trace, as long as there are processes. */
/* noether: verdict=violated kinds=deadlock states=13 */
chan q = [2] of { bit };
active proctype P() {
  if
  :: q!1
  :: q!1; q!0
  fi
}
active proctype Q() {
  bit x;
  if
  :: q?x; (x == 0)
  :: q?<x>; q??0
  fi
}
trace { q?1; q?_ }
