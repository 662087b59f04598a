/* Three readers that end one after the other. Nothing can see in which order they disappear. */
byte readers, rounds;

active [3] proctype reader()
{
	do
	:: rounds < 5 -> readers++; readers--; rounds++
	:: else -> break
	od
}
