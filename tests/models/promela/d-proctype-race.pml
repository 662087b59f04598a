/* Both options of the D_proctype are true in one state that others can make. */
/* noether: verdict=violated kinds=choice,deadlock states=16 */
byte x;
active D_proctype P() { if :: x == 1 -> skip :: x < 2 -> skip fi }
active proctype Q() { x = 1; x = 2 }
