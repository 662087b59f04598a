/* A run that ends is fair. SPIN misses it: the verdict with fairness is written by hand. */
/* noether: verdict=holds states=10 */
/* noether: ltl stays=violated */
byte n;
active proctype P() { n = 1 }
active proctype Q() { n = 2 }
ltl stays { <> [] (n == 1) }
