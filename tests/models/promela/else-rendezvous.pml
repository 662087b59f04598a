/* else beside a rendezvous: taken when no partner is ready. */
/* noether: verdict=holds states=6 */
chan bell = [0] of { bit };
byte missed;
active proctype Ringer() {
  if
  :: bell!1 -> missed = 1
  :: else -> missed = 2
  fi
}
active proctype Listener() {
  do
  :: bell?1 -> break
  :: (missed == 2) -> break
  od
}
