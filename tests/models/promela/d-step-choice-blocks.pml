/* A d_step stays in the choice at the beginning of its first option, and blocks there. */
/* noether: verdict=violated kinds=d_step-blocks */
byte y, x;
active proctype P() {
  d_step {
    if
    :: if
       :: y == 1 -> x = 3
       :: y == 2 -> x = 4
       fi;
       x++
    :: y == 0 -> x = 5
    fi;
    y = 1
  }
}
