/* Inlines with parameters, labels and locals of their own, called twice. */
/* noether: verdict=holds states=482 */
byte x, y;
inline raise(what, by) {
  byte before;
  before = what;
  what = what + by;
  if :: (what > before) -> goto fine :: else fi;
  what = 0;
fine:
  skip
}
active [2] proctype Raiser() {
  raise(x, 1);
  raise(y, x)
}
