/* A channel that is used before it is made. Nothing else is tried where it is. */
/* noether: verdict=violated kinds=channel */
chan a; byte x;
active proctype A() { if :: a?x :: x = 3 fi; x = 4 }
