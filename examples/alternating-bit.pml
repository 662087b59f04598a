/* The alternating bit protocol: Bartlett, Scantlebury and Wilkinson, "A note on reliable full-duplex transmission over
 * half-duplex links" (1969).
 *
 * The sender numbers its messages 0, 1, 0, 1, ... and sends one again and again until the acknowledgement with its
 * number comes. Both channels may lose what is sent. The messages carry the numbers 0, 1, ..., DATA - 1, round and
 * round: the receiver asserts that each one is the successor of the one before.
 *
 *   noether check examples/alternating-bit.pml
 *   noether check examples/alternating-bit.pml -D CARELESS=1     the sender takes any acknowledgement
 *
 * What to expect: messages arrive once and in order. It is not said that they arrive at all: the channel may lose
 * everything. The careless sender goes on too early.
 *
 * noether: verdict=holds states=1908
 * noether: with CARELESS=1 verdict=violated kind=assertion
 */
#define DATA 3

chan forward = [2] of { bit, byte };
chan back = [2] of { bit };

active proctype sender()
{
	bit number, answer;
	byte data;

	do
	:: forward!number, data
	:: back?_                                /* the acknowledgement is lost */
	:: back?answer ->
		if
#ifdef CARELESS
		:: true ->
#else
		:: answer == number ->
#endif
			number = 1 - number;
			data = (data + 1) % DATA
		:: else
		fi
	od
}

active proctype receiver()
{
	bit number, expected;
	byte data, next;

	do
	:: forward?_, _                          /* the message is lost */
	:: forward?number, data ->
		if
		:: number == expected ->
			assert(data == next);
			next = (next + 1) % DATA;
			expected = 1 - expected
		:: else
		fi;
		back!number
	od
}
