/* A D_proctype may have a choice where the later statement is a jump or a skip, as far as SPIN looks. */
/* noether: verdict=holds states=59 */
byte x, y;
active D_proctype P() { L: x < 2; if :: x == 0 -> x = 1 :: goto L fi }
active D_proctype Q() { do :: y < 2 -> y++ :: break od; if :: y == 0 :: skip fi }
