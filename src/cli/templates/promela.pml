/* A first model in Promela, SPIN's language: clients and a server that answers them. Try:
 *   noether check FILE             assertions, deadlocks and the formula below, for all states
 *   noether simulate FILE          step through it
 *   noether check FILE --report page.html
 * The language: docs/languages/promela.md */

#define N 2

chan request = [N] of { byte };      /* room for N messages, each a number */
chan answer[N] = [0] of { bit };     /* no room: sender and receiver meet */
byte served;

active proctype server()
{
	byte who;
end:	do                           /* a label that begins with "end": it may wait here for ever */
	:: request?who ->
		answer[who]!1
	od
}

active [N] proctype client()
{
	byte me = _pid - 1;          /* the server is process 0 */
	bit got;
	request!me;
	answer[me]?got;
	assert(got == 1);
	served++
}

ltl all_are_served { <> (served == N) }
