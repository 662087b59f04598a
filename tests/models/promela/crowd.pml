/* A lock that is taken in one step: nothing is ever passed through, and counters take it. */
/* noether: verdict=holds states=1863 canonical=81 */
#ifndef N
#define N 5
#endif
bool lock;
byte inside;
active [N] proctype P()
{
again:
   (!lock) -> skip;
   d_step { !lock -> lock = true };
   inside++;
   assert(inside == 1);
   inside--;
   lock = false;
   goto again
}
