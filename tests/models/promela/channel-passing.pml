/* A client sends its own channel to the server. */
/* noether: verdict=holds states=33 */
chan desk = [0] of { chan, byte };
active [2] proctype Client() {
  chan mine = [1] of { byte };
  byte reply;
  desk!mine,_pid;
  mine?reply;
  assert(reply == _pid + 10)
}
active proctype Server() {
  chan whose;
  byte number;
end:
  do
  :: desk?whose,number -> whose!number + 10
  od
}
