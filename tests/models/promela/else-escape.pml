/* An escape that begins with a choice: its `else` is tried first, so the body is never executed. */
/* noether: verdict=holds states=34 */
byte y, x;
active proctype P() {
  {
    x = 1;
    x = 2
  } unless {
    if
    :: if
       :: y == 1 -> x = 3
       :: else -> x = 4
       fi
    :: y == 2 -> x = 5
    fi
  }
}
active proctype Q() {
  y = 1;
  x = 7;
  y = 2
}
