/* Two loops, one in the other: who has seen whom. */
#define N 3
typedef row { bool by[N] };
row seen[N];

active [N] proctype p()
{
	byte i, j;
	do
	:: seen[_pid].by[_pid] = true
	:: d_step {
		for (i : 0 .. N - 1) {
			for (j : 0 .. N - 1) {
				if
				:: seen[i].by[i] && i != j -> seen[i].by[j] = seen[j].by[j]
				:: else
				fi
			}
		}
	   }
	:: d_step {
		for (i : 0 .. N - 1) {
			if
			:: i != _pid -> seen[_pid].by[i] = false
			:: else -> seen[_pid].by[i] = false
			fi
		}
	   }
	od
}
