/* Clients that are not distinguished, and a server. */
/* noether: verdict=violated kinds=deadlock states=694 */
chan ask = [2] of { byte };
byte served;
active proctype Server() {
  byte who;
end:
  do
  :: ask?who -> served = who; served = 0
  od
}
active [3] proctype Client() {
  do
  :: ask!_pid; (served == _pid)
  od
}
