/* An atomic sequence that blocks lets the others move, and goes on without them. */
/* noether: verdict=violated kinds=deadlock states=10 */
byte turn;
active proctype Waiter() {
  atomic { turn = 1; (turn == 2); turn = 3; turn = 4 }
}
active proctype Helper() {
  (turn == 1);
  turn = 2;
  turn++
}
