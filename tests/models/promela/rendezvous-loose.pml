/* Control goes to the receiver of a rendezvous; the sender goes on later. */
/* noether: verdict=holds states=40 */
chan hand = [0] of { byte };
byte x;
active proctype Giver() {
  atomic { x = 1; hand!5; x = x + 1; x = x * 2 }
}
active proctype Taker() {
  byte v;
  hand?v;
  x = v
}
active proctype Other() { x = 9 }
