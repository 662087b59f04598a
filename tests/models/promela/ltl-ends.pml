/* Runs that end repeat their last state. */
/* noether: verdict=holds states=10 */
/* noether: ltl settles=holds */
/* noether: ltl one=violated */
/* noether: ltl seen=holds */
/* noether: ltl release=violated */
byte n;
active proctype First() { n = 1 }
active proctype Second() { n = 2 }
ltl settles { <> [] (n == 1 || n == 2) }
ltl one { <> [] (n == 1) }
ltl seen { (<> (n == 1)) && (<> (n == 2)) }
ltl release { (n == 2) V (n != 1) }
