/* The number of processes is asked for, so that the order in which they disappear is seen. */
byte readers, rounds, alone;

active [3] proctype reader()
{
	do
	:: rounds < 2 -> readers++; readers--; rounds++
	:: _nr_pr == 1 -> alone++; break
	:: rounds >= 2 && _nr_pr > 1 -> break
	od
}
