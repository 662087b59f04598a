/* A trace assertion that is violated: the second process may use q, too. Channels in variables are watched, too. */
/* noether: verdict=violated kinds=trace states=51 */
chan q = [2] of { byte, bit };
chan other = [2] of { byte, bit };
byte turn = 1;
active [2] proctype Sender() {
  chan c;
  if
  :: c = q
  :: c = other
  fi;
  atomic { c!turn,_pid; turn++ }
}
trace {
end:
  do
  :: q!1,0
  :: q!2,0
  :: other!_,_
  od
}
