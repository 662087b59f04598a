/* A sliding window protocol, "go back n": Tanenbaum, Computer Networks.
 *
 * The sender may have WINDOW messages under way that are not acknowledged, numbered modulo MOD. The receiver takes them
 * in order only, and acknowledges the last one it took. Channels may lose messages but keep their order. When nothing
 * else can move, the sender's timer runs out, and it begins again with the oldest message. The data are the positions in
 * the stream modulo DATA, so that the receiver can assert that it takes the right one.
 *
 *   noether check examples/sliding-window.pml
 *   noether check examples/sliding-window.pml -D MOD=2      the numbers are too few for the window: an old one is taken
 *
 * What to expect: holds if MOD is greater than WINDOW.
 *
 * noether: verdict=holds states=5302
 * noether: with MOD=2 verdict=violated kind=assertion
 */
#define WINDOW 2
#ifndef MOD
#define MOD 3
#endif
#define DATA 5

typedef message { byte number; byte data };

chan forward = [2] of { message };
chan back = [2] of { byte };

active proctype sender()
{
	message out;
	byte oldest, oldest_data;   /* the first one that is not acknowledged */
	byte under_way;             /* how many are sent, from there on */
	byte sent_again;            /* how many of them were sent since the timer ran out */
	byte answer;

	sent_again = 0;
	do
	:: sent_again < WINDOW ->
		atomic {
			out.number = (oldest + sent_again) % MOD;
			out.data = (oldest_data + sent_again) % DATA;
			sent_again++;
			if
			:: under_way < sent_again -> under_way = sent_again
			:: else
			fi
		};
		if
		:: forward!out
		:: skip                  /* lost */
		fi
	:: back?answer ->
		/* the acknowledgement of one message is that of all before it */
		atomic {
			answer = (answer + MOD - oldest) % MOD;
			if
			:: answer < under_way ->
				oldest = (oldest + answer + 1) % MOD;
				oldest_data = (oldest_data + answer + 1) % DATA;
				under_way = under_way - answer - 1;
				if
				:: sent_again > answer -> sent_again = sent_again - answer - 1
				:: else -> sent_again = 0
				fi
			:: else
			fi;
			answer = 0
		}
	:: timeout -> sent_again = 0
	od
}

active proctype receiver()
{
	message in;
	byte expected, next;

end:	do
	:: forward?in ->
		if
		:: in.number == expected ->
			assert(in.data == next);
			expected = (expected + 1) % MOD;
			next = (next + 1) % DATA
		:: else
		fi;
		if
		:: back!((expected + MOD - 1) % MOD)
		:: skip                  /* lost */
		fi
	od
}
