/* Mutual exclusion for N processes with shared variables only: Peterson, "Myths about the mutual exclusion problem"
 * (1981), in its general form.
 *
 * A process climbs N - 1 levels. At each it becomes the last one there, and waits until no other process is as high, or
 * another has come after it. So every level keeps one process back, and one at most comes through.
 *
 *   noether check examples/peterson.pml
 *   noether check examples/peterson.pml -D FORGET=1 -D N=2      the bug: a process does not say that it came last
 *   noether symmetry examples/peterson.pml                     the others are visited in order: what breaks the symmetry
 *
 * What to expect: one process in the critical section at most; if no process says that it came last, two.
 *
 * noether: verdict=holds states=29876
 * noether: with N=2 verdict=holds states=392
 * noether: with FORGET=1 N=2 verdict=violated kind=assertion
 */
#ifndef N
#define N 3
#endif

byte level[N];   /* by process: how high it is, from 1; 0: not interested */
byte last[N];    /* by level: who came last */
byte inside = 0;

active [N] proctype process()
{
	byte up, other;

	do
	:: up = 1;
	   do
	   :: up < N ->
		level[_pid] = up;
#ifndef FORGET
		last[up] = _pid;
#endif
		other = 0;
		do
		:: other < N && (other == _pid || level[other] < up || last[up] != _pid) -> other++
		:: other == N -> break
		od;
		up++
	   :: else -> break
	   od;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   level[_pid] = 0
	od
}
