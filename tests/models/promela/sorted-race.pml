/* The same with two senders. */
/* noether: verdict=violated kinds=deadlock states=134 */
chan q = [3] of { byte };
active [2] proctype Sender() { q!!2 - _pid; q!!_pid }
active proctype Receiver() {
  byte v;
  do
  :: q??1
  :: q??<v> -> q?eval(v)
  :: (len(q) == 3) -> break
  od
}
