/* Clients that ask a server for a resource, each with a channel of its own for the answer.
 *
 * A client sends its channel with its request. The server lends the resource to one client at a time, and gives the
 * others a refusal. Nothing distinguishes the clients but their channels, which only travel in messages: all clients are
 * interchangeable together with their channels.
 *
 *   noether check examples/client-server.pml
 *   noether check examples/client-server.pml -D N=6
 *   noether symmetry examples/client-server.pml
 *
 * What to expect: one client has the resource at most.
 *
 * noether: verdict=holds states=1079 canonical=196
 * noether: with N=2 verdict=holds states=164 canonical=83
 */
#ifndef N
#define N 3
#endif

mtype = { want, give_back, granted, refused };

chan requests = [2] of { mtype, chan };
chan answers[N] = [1] of { mtype };
byte users = 0;

proctype client(chan mine)
{
	do
	:: requests!want, mine;
	   if
	   :: mine?granted ->
		users++;
		assert(users == 1);
		users--;
		requests!give_back, mine
	   :: mine?refused
	   fi
	od
}

active proctype server()
{
	chan who;
	bool is_lent;

end:	do
	:: requests?want, who ->
		if
		:: is_lent -> who!refused
		:: else -> is_lent = true; who!granted
		fi
	:: requests?give_back, who -> is_lent = false
	od
}

init {
	atomic {
		byte i;
		for (i : 0 .. N - 1) {
			run client(answers[i])
		}
	}
}
