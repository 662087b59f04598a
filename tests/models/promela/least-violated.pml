/* A run to the int -2147483648, by wrapping around. */
/* noether: verdict=violated kinds=assertion states=4 */
int x = 5;
active proctype A() { x = x - 2147483647 - 6; assert(x < 0 && x - 1 < 0) }
