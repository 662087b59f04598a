/* SPIN reads 2147483648 as an int; in C that number is a long, whose negation is not the least int. */
/* noether: verdict=holds states=22 */
/* noether: ltl least=holds */
int x = -2147483648; bit m = 2147483648; byte n;
active proctype A() {
  assert(x < 0 && m == 0 && x == 2147483648 && x != -2147483648 && x < -2147483648 && 2147483647 < -2147483648);
  x = 4294967295; assert(x == -1); x = 4294967296; assert(x == 0);
  x = 2147483648 - 1; assert(x == 2147483647); x = 2147483648 + 2147483648; assert(x == 0);
  assert(2147483648 + 2147483648 < -2147483647 && 2147483648 - 1 < -2147483647);
  x = ~2147483648; assert(x == 2147483647); x = (x > 0 -> 2147483648 : 3); assert(x == 2147483648);
  x = !2147483648; assert(x == 0); x = 1 << 31; assert(x == 2147483648); n = 2147483648 + 7; assert(n == 7)
}
ltl least { [] (x >= -2147483648 && 2147483648 > x) }
