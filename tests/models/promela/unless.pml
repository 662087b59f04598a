/* An escape comes before the moves it escapes from, in every state of them. */
/* noether: verdict=violated kinds=deadlock states=59 */
byte x;
bit stop;
active proctype Worker() {
  {
    do
    :: (x < 3) -> x++
    :: (x > 0) -> x--
    od
  } unless {
    if
    :: (stop) -> x = 7
    :: (x == 3) -> x = 8
    fi
  };
  x = 9
}
active proctype Stopper() { (x == 2); stop = 1 }
