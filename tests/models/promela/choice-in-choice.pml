/* A choice as the first statement of an option: its moves are those of the outer one. */
/* noether: verdict=holds states=45 */
byte x;
active [2] proctype Chooser() {
  if
  :: if :: (x == 0) -> x = 1 :: (x == 1) -> x = 2 fi; x = 3
  :: x = 4
  fi
}
