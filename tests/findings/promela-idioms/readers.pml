/* Three readers that end one after the other. Nothing can see in which order they disappear. */
#ifndef ROUNDS
#define ROUNDS 5
#endif
byte readers, rounds;

active [3] proctype reader()
{
	do
	:: rounds < ROUNDS -> readers++; readers--; rounds++
	:: else -> break
	od
}
