/* An `else` at the beginning of an inner choice waits for what stands before it in the text, not for later options of the outer choice. */
/* noether: verdict=holds states=138 */
byte y = 1, k;

active proctype Early() {
  if
  :: if
     :: y == 0 -> k = 1
     :: else -> k = 2
     fi
  :: true -> k = 3
  fi
}

active proctype Late() {
  do
  :: y == 2 -> break
  :: do
     :: else -> y = 2; break
     :: y == 0 -> y = 1; break
     od
  od
}

active proctype Outer() {
  if
  :: else -> k = 4
  :: atomic {
       if
       :: k == 2 -> y = 0
       fi
     }
  :: y == 2 -> k = 5
  fi
}
