/* Processes that take turns: each waits for a free slot, holds it in an atomic step, and gives it back at a timeout. The
 * steps of the atomic sequence pass through states whose values occur nowhere else (taken = 7). */
#define N 3
byte taken, asked;
bit has[N];

active [N] proctype P() {
	do
	:: atomic { taken == 0 -> taken = 7; if :: has[_pid] = 1 :: has[_pid] = 1; asked = 0 fi; taken = 1; asked++ }
	   timeout -> asked--;
	   d_step { assert(has[_pid]); has[_pid] = 0; taken = 0 }
	od
}
