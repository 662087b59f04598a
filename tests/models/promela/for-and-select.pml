/* for over numbers and over an array; select with constants and with expressions. */
/* noether: verdict=holds states=54 */
byte a[3];
byte top = 2;
active proctype Filler() {
  byte i;
  select (i : 1 .. 2);
  a[i] = 7;
  select (i : i .. top);
  for (i in a) { a[i]++ }
  for (i : 0 .. top - 1) { a[i] = 0 }
  assert(i == top)
}
