/* The iterations do not commute: the voter with the greatest number is remembered. */
#define N 3
bool vote[N];
byte last = N;

active [N] proctype voter()
{
	byte i;
	do
	:: vote[_pid] = !vote[_pid]
	:: d_step {
		last == N ->
		for (i : 0 .. N - 1) {
			if
			:: vote[i] -> last = i
			:: else
			fi
		}
	   }
	:: atomic { last == _pid -> last = N }
	od
}
