/* A label in front of the choice that begins an option is that of where the first statements of the choice lead. */
/* noether: verdict=holds states=4 */
/* noether: accept=violated */
byte y = 1;
active proctype P() {
  do
  :: accept: if
     :: y = 1; y = 2
     :: if :: y = 3; y = 1 fi
     fi
  od
}
