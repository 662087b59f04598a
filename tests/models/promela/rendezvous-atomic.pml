/* Control goes to the receiver of a rendezvous, and stays with it if it is in an atomic sequence. */
/* noether: verdict=holds states=40 */
chan hand = [0] of { byte };
byte x;
active proctype Giver() {
  atomic { x = 1; hand!5; x = x + 1; x = x * 2 }
}
active proctype Taker() {
  byte v;
  atomic { hand?v; x = v; x = x + 3 }
  x = 0
}
active proctype Other() { x = 9 }
