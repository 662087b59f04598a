/* A declaration behind a statement is a step, and sets the variable anew at each entry. */
/* noether: verdict=holds states=17 */
byte rounds;
active proctype Rounder() {
  do
  :: (rounds < 2) -> { byte fresh = rounds + 1; byte zero; zero++; fresh = fresh + zero; assert(fresh == rounds + 2) }
    rounds++
  :: else -> break
  od
}
