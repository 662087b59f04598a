/* The loop ends early, and remembers where: a search in an order. */
#define N 3
bool busy[N];
byte chosen;

active [N] proctype seeker()
{
	byte i;
	do
	:: busy[_pid] = !busy[_pid]
	:: d_step {
		i = 0;
		do
		:: i < N && busy[i] -> chosen = i; break
		:: i < N && !busy[i] -> i++
		:: i == N -> chosen = 0; break
		od;
		i = 0
	   }
	od
}
