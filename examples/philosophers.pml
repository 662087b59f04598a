/* The dining philosophers: Dijkstra, "Hierarchical ordering of sequential processes" (1971).
 *
 * A fork is a channel with a message while it lies on the table. Each philosopher takes the left fork and then the right
 * one. If all have the left one, nothing can move: an invalid end state. With LEFTY, the last philosopher begins with the
 * right fork.
 *
 *   noether check examples/philosophers.pml                  the deadlock, by a shortest run
 *   noether check examples/philosophers.pml -D LEFTY=1       none
 *
 * What to expect: violated; with LEFTY it holds.
 *
 * noether: verdict=violated kind=deadlock
 * noether: with LEFTY=1 verdict=holds states=80
 * noether: with LEFTY=1 N=3 verdict=holds states=25
 */
#ifndef N
#define N 4
#endif

mtype = { fork };

chan table[N] = [1] of { mtype };

proctype philosopher(chan first, second)
{
	do
	:: first?fork;
	   second?fork;
	   /* eats */
	   second!fork;
	   first!fork
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			table[i]!fork
		}
		for (i : 0 .. N - 1) {
#ifdef LEFTY
			if
			:: i == N - 1 -> run philosopher(table[0], table[N - 1])
			:: else -> run philosopher(table[i], table[i + 1])
			fi
#else
			run philosopher(table[i], table[(i + 1) % N])
#endif
		}
	}
}
