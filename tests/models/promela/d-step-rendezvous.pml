/* A rendezvous inside a d_step is an error. */
/* noether: verdict=violated kinds=d_step-rendezvous */
chan c = [0] of { bit };
byte x;
active proctype Doer() { d_step { c!1; x = 1 } }
active proctype Other() { c?1 }
