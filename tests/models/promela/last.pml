/* Who has moved. */
/* noether: verdict=holds states=22 */
byte x;
active proctype A() { x = 1; x = 2 }
active proctype B() { if :: _last == 0 :: _last == 1 fi; x = 3 }
