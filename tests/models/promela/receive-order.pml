/* What is received is stored from left to right; what is compared is compared before. */
/* noether: verdict=holds states=8 */
chan q = [2] of { byte, byte };
byte a[3];
byte i = 2;
active proctype Receiver() {
  q!1,7;
  q!2,2;
  q?i,a[i];
  assert(a[1] == 7 && i == 1);
  i = 2;
  q?eval(i),i
}
