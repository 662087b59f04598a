/* A channel is a number: it goes through bytes, mtype fields and parameters, and is a channel again. */
/* noether: verdict=holds states=12 */
mtype = { ready };
chan wire = [0] of { mtype };
chan box = [1] of { byte };
proctype Courier(byte number) {
  chan target;
  target = number;
  target!7
}
active proctype Sender() {
  wire!box;
  wire!ready
}
init {
  chan got;
  byte copy;
  wire?got;
  wire?ready;
  copy = got;
  run Courier(copy);
  box?7
}
