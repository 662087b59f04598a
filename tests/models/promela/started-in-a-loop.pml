/* One atomic sequence fills channels and starts processes, with a loop and a choice: it is done once and for all, and the ring is found. */
/* noether: verdict=holds states=3571 canonical=916 */
#define N 4
chan c[N] = [2] of { byte };
byte moved;

proctype node(chan before; chan behind)
{
	byte token;
end:	do
	:: before?token -> behind!token; moved = (moved + 1) % 3
	od
}

init {
	byte i, j;
	atomic {
		for (i : 0 .. N - 1) {
			c[i]!7;
			if
			:: i > 0 -> j++
			:: else
			fi
		}
		assert(j == N - 1);
		for (i : 0 .. N - 1) {
			run node(c[i], c[(i + 1) % N])
		}
	}
}
