/* The least int: of a variable that is nothing else, and of one that changes. */
/* noether: verdict=holds states=6 */
int a = -2147483647 - 1;
int b = -2147483647 - 1;
active proctype P() {
  int c = -2147483647 - 1;
  b = b + 1;
  if
  :: (a == c && b > a) -> b = a
  fi;
  assert(b < 0 && c == b)
}
