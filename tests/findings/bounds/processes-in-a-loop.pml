/* Thirty processes are started in a loop: more than there is room for by default, fewer than SPIN's 255. */
proctype P() { end: false }
init { byte i; for (i : 1 .. 30) { run P() } }
