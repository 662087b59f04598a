/* Voters with a ballot that one of them counts: a loop over all others in an atomic sequence, a sum and a flag for each. */
#ifndef N
#define N 3
#endif
bool vote[N], told[N];
byte yes;

active [N] proctype voter()
{
	byte i, count;
	do
	:: vote[_pid] = !vote[_pid]
	:: atomic {
		yes == 0 ->
		i = 0;
		count = 0;
		do
		:: i < N ->
			if
			:: i != _pid && vote[i] -> count++; told[i] = true
			:: else
			fi;
			i++
		:: else -> break
		od;
		yes = count
	   }
	:: atomic { told[_pid] -> told[_pid] = false; yes = 0 }
	od
}
