/* Processes that init starts in a loop, and waits for; they end. */
#ifndef N
#define N 5
#endif
byte n;

proctype P() { n++ }

init {
	byte i;
	atomic { for (i : 1 .. N) { run P() } };
	(n == N)
}
