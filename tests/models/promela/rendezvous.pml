/* Two senders and two receivers meet; a process does not meet itself. */
/* noether: verdict=violated kinds=deadlock states=10 */
chan meet = [0] of { byte, bit };
byte last;
active [2] proctype Both() {
  byte from;
  if
  :: meet!_pid,1
  :: meet?from,1 -> last = from
  fi
}
active proctype Third() {
  byte v;
  if
  :: meet!2,0
  :: meet?v,_
  fi
}
