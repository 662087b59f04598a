/* A variable of an inner block is 0 until it is declared, and stays what it is behind the block. */
/* noether: verdict=holds states=31 */
byte g;
active [2] proctype P() {
L:  g = 1;
  { bit m = 1; g = 2 }
  goto L
}
