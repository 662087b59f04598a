/* An iteration blocks where a voter has no vote: the d_step is an error, in the loop over a set as in SPIN. */
#define N 3
bool vote[N];
byte sum;

active [N] proctype voter()
{
	byte i;
	vote[_pid] = true;
	d_step {
		true;
		i = 0;
		do
		:: i < N && vote[i] -> sum++; i++
		:: i == N -> break
		od
	}
end:	false
}
