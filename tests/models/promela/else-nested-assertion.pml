/* The inner `else` is taken although the outer choice has another option. */
/* noether: verdict=violated kinds=assertion states=9 */
byte y = 1, k;
active proctype Q() {
  if
  :: if
     :: y == 0 -> k = 1
     :: else -> k = 2
     fi
  :: true -> k = 3
  fi;
  assert(k != 2)
}
