/* A label in front of the choice that begins an option is that of where the first statements of the choice lead. */
/* noether: verdict=holds states=5 */
/* noether: progress=holds */
byte y = 1;
active proctype P() {
  do
  :: progress: if
     :: y = 1; y = 2
     :: y = 4; y = 3
     fi;
     y = 1
  od
}
