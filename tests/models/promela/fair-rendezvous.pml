/* Weak fairness: the receiver of a rendezvous is not enabled by itself. fair: is asked for. */
/* noether: verdict=holds states=4 */
/* noether: ltl r=violated fair:r=violated */
chan c = [0] of {bit};
bit x, y;
active proctype P() { do :: c!1 :: y = 1 - y od }
active proctype Q() { do :: c?x; x = 0; od }
ltl r { []<> (x == 1) }
