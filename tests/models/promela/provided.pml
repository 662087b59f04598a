/* A process moves only while its condition is true, also at its end. */
/* noether: verdict=violated kinds=deadlock states=43 */
byte turn;
active proctype Even() provided (turn % 2 == 0) {
  turn = 1;
  turn = 2
}
active proctype Odd() provided (turn % 2 == 1) {
  atomic { turn = 3; turn = 4; turn = 6 }
}
active proctype Clock() {
  turn = 5;
  turn = 0
}
