/* At a label before nested escapes, the inner one and the outer one are alike, as in pan; behind it, the outer one goes first. */
/* noether: verdict=holds states=49 */
byte g = 44;
bit flag;
active proctype P() {
  byte v;
  v = 1;
wait: {
    {
      v = 2;
      v = 8
    } unless {
      (flag == 0) -> v = 3
    }
  } unless {
    (g > 1) -> v = 5
  }
}
active proctype Q() { g = 0; flag = 1; flag = 0; g = 2 }
