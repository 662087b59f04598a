/* Two processes wait for each other. */
/* noether: verdict=violated kinds=deadlock states=24 */
bit fork[2];
active [2] proctype Eater() {
  atomic { !fork[_pid] -> fork[_pid] = 1 }
  atomic { !fork[1 - _pid] -> fork[1 - _pid] = 1 }
  fork[0] = 0;
  fork[1] = 0
}
