/* A formula does not see the inside of an atomic sequence, unless it blocks there. */
/* noether: verdict=holds states=9 */
/* noether: ltl jump=holds */
/* noether: ltl block=violated */
/* noether: ltl both=holds */
byte x;
active proctype P() {
  atomic { x = 1; x = 2; x = 3 }
  atomic { x = 4; (x == 5); x = 6 }
}
active proctype Q() { (x == 4) -> x = 5 }
ltl jump { [] (x != 2) }
ltl block { [] (x != 4) }
ltl both { <> (x == 6) }
