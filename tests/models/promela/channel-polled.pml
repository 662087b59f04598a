/* A rendezvous channel that is asked what is in it. */
/* noether: verdict=violated kinds=rendezvous-polled states=10 */
chan r = [0] of {byte}; byte x;
active proctype A() { if :: r?[x] :: x = 3 fi; }
active proctype B() { if :: r!3 :: x = 1 fi }
