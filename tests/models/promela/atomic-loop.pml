/* A loop all of whose body is atomic, and a break out of it. */
/* noether: verdict=holds states=12 */
byte filled;
active [2] proctype Pourer() {
  do
  :: atomic { (filled < 4) -> filled++; if :: (filled == 3) -> break :: else fi; filled = filled }
  :: (filled >= 4) -> break
  od
}
