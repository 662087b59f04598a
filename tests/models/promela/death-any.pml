/* Processes that end: in the order of their pids, as in SPIN, or in any order. */
/* noether: verdict=holds states=587 */
byte n;
proctype Client() { byte i; do :: i < 2 -> i++; n = (n + 1) % 3 :: else -> break od }
init { atomic { run Client(); run Client(); run Client() } }
