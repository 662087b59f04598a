/* A choice as the last statement of an atomic sequence, before a rendezvous was lost to it. */
/* noether: verdict=holds states=25 */
chan hand = [0] of { bit };
byte seen;
active proctype Giver() {
  atomic { seen = 1; if :: hand!0 :: hand!1 fi }
  seen = 2
}
active proctype Taker() {
  bit got;
  hand?got;
  seen = 3 + got
}
