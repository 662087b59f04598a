/* A process asks whether it is enabled itself: an error. */
/* noether: verdict=violated kinds=own-question */
byte l;
active [2] proctype P() {
  do
  :: l = 1 - l
  :: enabled(1) -> l = 1
  od
}
