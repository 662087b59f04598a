/* A bit gets the last bit of the number 2147483648. */
/* noether: verdict=holds states=14 */
byte g;
active [2] proctype P() {
L:  g = 1;
  { bit m = 2147483648; g = 2 }
  goto L
}
