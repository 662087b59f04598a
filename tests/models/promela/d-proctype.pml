/* A process of a D_proctype must never have a choice. */
/* noether: verdict=violated kinds=choice states=7 */
byte x;
active D_proctype P() { if :: x = 1 :: x = 2 fi; assert(x < 3) }
