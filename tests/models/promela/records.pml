/* Records with arrays and records in them, in arrays; copied through a channel. */
/* noether: verdict=holds states=21 */
typedef Point { byte x; bit on[2] }
typedef Line { Point from; Point to }
Line lines[2];
active [2] proctype Drawer() {
  lines[_pid].from.x = _pid + 1;
  lines[1 - _pid].to.on[_pid] = 1;
  (lines[_pid].to.on[1 - _pid]) -> lines[_pid].to.x = lines[1 - _pid].from.x
}
