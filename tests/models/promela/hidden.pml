/* Values of hidden variables are no part of the state. */
/* noether: verdict=holds states=21 */
hidden byte scratch;
byte x;
active [2] proctype Writer() {
  scratch = _pid;
  x++;
  scratch = 7
}
