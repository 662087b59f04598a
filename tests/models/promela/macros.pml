/* The preprocessor: constants, parameters, conditions. */
/* noether: verdict=holds states=87 */
#define N 3
#define next(i) ((i + 1) % N)
#ifdef ABSENT
byte broken = ;
#else
byte token;
#endif
byte visits[N];
active [N] proctype Node() {
  do
  :: (token == _pid) -> visits[_pid] = 1; token = next(_pid)
  :: (visits[0] && visits[1] && visits[2]) -> break
  od
}
