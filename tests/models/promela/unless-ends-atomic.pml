/* An unless at the end of an atomic sequence ends it behind both of its parts: what follows is a step of its own. */
/* noether: verdict=holds states=17 */
byte g; bit flag;
active proctype P() {
  atomic { g = 1; { flag = 1 } unless { (flag >= 0) } }
  g = 2;
  g = 3
}
active proctype Q() { byte x; x = 1; x = 2 }
