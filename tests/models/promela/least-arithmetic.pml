/* The int -2147483648 in variables, arrays and records: where it comes from, what is computed with it, where it is cut. */
/* noether: verdict=holds states=26 */
int x = 2147483647; int row[3] = 4; short s; byte b;
typedef Pair { int first; short second }
Pair pair;
active proctype A() {
  int y;
  x = x + 1; assert(x == -2147483647 - 1);
  row[1] = x; row[2] = row[1]; assert(row[2] == x && row[0] == 4);
  pair.first = row[2]; pair.second = pair.first; assert(pair.second == 0);
  s = pair.first - 1; b = pair.first + 255; assert(s == -1 && b == 255);
  y = -x; assert(y == x && -y == x && y * y == 0 && ~y == 2147483647);
  assert(y - 1 > 0 && y + 1 < 0 && y < -2147483647 && y <= x && !(y > x));
  assert((y >> 31) == -1 && y / 2 == -1073741824 && y % 7 == -2 && (y & 255) == 0 && (y | 1) == -2147483647 && (y ^ y) == 0);
  y--; assert(y == 2147483647); y++; assert(y == x);
  x = (y < 0 -> y : 5); assert(x == y); x = 0; y = 1;
  if :: y == -2147483647 - 1 -> assert(false) :: else fi
}
