/* A snooping cache protocol for one line of memory: write-invalidate with the states invalid, shared and modified, as in
 * the Illinois protocol of Papamarcos and Patel (1984) without its exclusive state.
 *
 * The bus is granted to one cache at a time. A cache that misses asks on the bus; all others see it in the same step: one
 * that has the line modified writes it back, and on a write all others drop their copies. The data are version numbers
 * modulo V; a read must find the last version that was written.
 *
 *   noether check examples/snoopy-cache.pml
 *   noether check examples/snoopy-cache.pml -D STALE=1        the bug: a write does not invalidate the copies of others
 *
 * What to expect: every read finds the last write; 349 states up to permutations of the caches, 1,772 without symmetry.
 * With STALE, an assertion fails.
 *
 * noether: verdict=holds states=1772 canonical=349
 * noether: with N=2 verdict=holds states=130 canonical=69
 * noether: with STALE=1 verdict=violated kind=assertion
 */
#ifndef N
#define N 3
#endif
#define V 2

mtype = { invalid, shared, modified };

mtype line[N] = invalid;
byte copy[N];
byte memory, latest;
chan bus = [1] of { bit };       /* a message while the bus is free */

/* The others see a transaction of this cache. */
inline snoop(is_write)
{
	other = 0;
	do
	:: other < N && other != me && line[other] == modified ->
		assert(!supplied);             /* one cache at most has it modified */
		supplied = true;
		memory = copy[other];
		line[other] = (is_write -> invalid : shared);
		other++
	:: other < N && other != me && line[other] == shared ->
#ifndef STALE
		line[other] = (is_write -> invalid : shared);
#endif
		other++
	:: other < N && (other == me || line[other] == invalid) -> other++
	:: other == N -> break
	od;
	other = 0;
	supplied = false
}

proctype cpu(byte me)
{
	byte other;
	bool supplied;

	do
	:: atomic {                                    /* a read: at once, or after the bus */
		line[me] != invalid -> assert(copy[me] == latest)
	   }
	:: line[me] == invalid ->
		bus?1;
		d_step {
			snoop(false);
			copy[me] = memory;
			line[me] = shared
		};
		bus!1
	:: atomic {                                    /* a write to a line that is its own */
		line[me] == modified ->
		latest = (latest + 1) % V;
		copy[me] = latest
	   }
	:: line[me] != modified ->
		bus?1;
		d_step {
			snoop(true);
			latest = (latest + 1) % V;
			copy[me] = latest;
			line[me] = modified
		};
		bus!1
	od
}

init {
	byte i;
	atomic {
		bus!1;
		for (i : 0 .. N - 1) {
			run cpu(i)
		}
	}
}
