/* Two loops in a row, one in the other: a matrix of who has seen whom. */
#define N 3
typedef row { bool of[N] };
row seen[N];

active [N] proctype p()
{
	byte i, j;
	do
	:: d_step {
		seen[_pid].of[_pid] = true;
		for (i : 0 .. N - 1) {
			for (j : 0 .. N - 1) {
				if
				:: seen[i].of[j] && i != j -> seen[i].of[j] = false
				:: else
				fi
			}
		}
	   }
	:: d_step {
		seen[_pid].of[_pid] = false;
		for (i : 0 .. N - 1) { seen[_pid].of[i] = seen[i].of[i] }
	   }
	od
}
