/* What && and || leave out is not asked of a channel that was never made. */
/* noether: verdict=holds states=4 */
chan a; byte x;
active proctype A() { if :: x > 0 && len(a) > 0 :: x = 3 fi; x == 3 || full(a) }
