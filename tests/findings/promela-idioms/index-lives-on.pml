/* The counter of the loop is used behind it: it names the element 0. */
#define N 3
bool seen[N];
byte total;

active [N] proctype counter()
{
	byte i;
	do
	:: d_step {
		total = 0;
		for (i : 0 .. N - 1) {
			total = total + seen[i]
		}
		i = i - N;
		seen[i] = !seen[i]
	   }
	:: seen[_pid] = !seen[_pid]
	od
}
