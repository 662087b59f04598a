/* A D_proctype that never has a choice. */
/* noether: verdict=violated kinds=deadlock states=32 */
byte x;
active D_proctype P() { do :: x < 2 -> x++ :: else -> break od; if :: x == 2 -> x = 3 :: x == 1 -> x = 4 fi }
active proctype Q() { x = 0 }
