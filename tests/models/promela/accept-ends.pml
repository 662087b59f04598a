/* The last state is one with a process at an acceptance label: that is a cycle, too. */
/* noether: verdict=holds states=8 */
/* noether: accept=violated */
byte x;
active proctype A() { x = 1; accept: end: x > 2 }
active proctype B() { x = 0; }
