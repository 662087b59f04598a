/* A process stands at an acceptance label while another one goes on. */
/* noether: verdict=holds states=2 */
/* noether: accept=violated */
byte x;
active proctype A() { do :: x = 1 - x od }
active proctype B() { accept_here: (x > 5) }
