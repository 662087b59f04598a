/* A channel without capacity is empty and not full. */
/* noether: verdict=holds states=9 */
chan meet = [0] of { bit };
byte x;
active proctype Asker() {
  if
  :: full(meet) -> x = 1
  :: nempty(meet) -> x = 2
  :: nfull(meet) -> x = 3
  :: empty(meet) -> x = 4
  fi;
  assert(x >= 3 && len(meet) == 0)
}
