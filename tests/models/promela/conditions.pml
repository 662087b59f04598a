/* Operators: arithmetic, bits, comparisons, conditional expressions. */
/* noether: verdict=holds states=8 */
int a = -9;
byte b;
active proctype Calculator() {
  b = (a / 2 == -4 -> 7 : 8);
  a = a % 4;
  a = (a << 2) ^ 5;
  a = ~a & 63;
  b = (b | 8) >> 1;
  assert(b == 7 && !(a == 0) && -a < 0)
}
