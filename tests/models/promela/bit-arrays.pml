/* Elements of arrays of bits, and fields of messages, hold bytes. */
/* noether: verdict=holds states=6 */
bit row[2];
chan wire = [1] of { bit };
byte got;
active proctype Writer() {
  row[1] = 5;
  wire!6;
  wire?got;
  assert(row[1] == 5 && got == 6)
}
