/* timeout is taken when nothing else can move; in an atomic sequence only after it gave way. */
/* noether: verdict=holds states=14 */
byte x;
active proctype Sleeper() {
  atomic { x = 1; timeout; x = x + 10; x = x + 20 }
}
active proctype Other() {
  (x == 1);
  x = 2;
  if
  :: (x == 3)
  :: timeout -> x = 4
  fi
}
