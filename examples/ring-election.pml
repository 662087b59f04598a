/* Leader election in a ring of processes: Chang and Roberts, "An improved algorithm for decentralized extrema-finding in
 * circular configurations of processes" (1979).
 *
 * Each process sends its number to the right. A process passes on numbers that are greater than its own, and swallows
 * the smaller ones; the number that comes all the way round is the greatest, and its process is the leader. The winner
 * then sends a farewell round the ring, so that every process ends.
 *
 *   noether check examples/ring-election.pml
 *   noether check examples/ring-election.pml -D N=5
 *
 * What to expect: there is one leader, every process learns its number, and all processes end.
 *
 * noether: verdict=holds states=488
 * noether: with N=3 verdict=holds states=134
 */
#ifndef N
#define N 4
#endif

mtype = { candidate, farewell };

chan ring[N] = [2] of { mtype, byte };
byte leaders = 0;

proctype node(byte me)
{
	byte number, leader;

	ring[(me + 1) % N]!candidate, me;
	do
	:: ring[me]?candidate, number ->
		if
		:: number > me -> ring[(me + 1) % N]!candidate, number
		:: number < me -> skip
		:: number == me ->
			leaders++;
			assert(leaders == 1);
			leader = me;
			ring[(me + 1) % N]!farewell, me
		fi
	:: ring[me]?farewell, number ->
		if
		:: number != me -> leader = number; ring[(me + 1) % N]!farewell, number
		:: else
		fi;
		break
	od;
	assert(leader == N - 1)
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			run node(i)
		}
	}
}

ltl one_leader { <>[] (leaders == 1) }
