/* Types wrap around: bit, byte, short, int, unsigned; and pid. */
/* noether: verdict=holds states=8 */
bit one = 1;
byte small = 250;
short middle = 32767;
int large = 2147483647;
unsigned three : 3 = 6;
active proctype Counter() {
  one++;
  small = small + 10;
  middle++;
  large++;
  three = three + 5;
  assert(one == 0 && small == 4 && middle == -32768 && large < 0 && three == 3)
}
