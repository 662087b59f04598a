/* In an atomic sequence an iteration may have a choice: it is not one step, and all outcomes are kept. */
#define N 3
bool mark[N];

active [N] proctype marker()
{
	byte i;
	do
	:: atomic {
		!mark[_pid] ->
		for (i : 0 .. N - 1) {
			if
			:: mark[i] = true
			:: mark[i] = false
			fi
		};
		i = 0
	   }
	od
}
