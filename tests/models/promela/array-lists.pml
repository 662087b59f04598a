/* Lists of initial values; the last one counts for the elements that are left. */
/* noether: verdict=holds states=4 */
typedef Row { byte cell[3] = { 4, 5 } }
byte a[3] = { 1, 2, 3 };
Row row;
active proctype Reader() {
  byte mine[4] = { 6, 7 };
  a[0] = mine[3];
  assert(a[0] == 7 && a[2] == 3 && row.cell[0] == 4 && row.cell[2] == 5)
}
