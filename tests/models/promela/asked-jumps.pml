/* A jump whose label is asked for by a remote reference is a state of its own: here a goto and a break, but not the others. */
/* noether: verdict=holds states=36 */
byte x;

active proctype P()
{
again:
	do
	:: x < 3 -> x++
	:: x == 3 -> x = 0;
seen:		goto again
	:: x == 2 -> x = 0;
unseen:		goto again
	:: x == 1 ->
left:		break
	od;
	x = 0;
	goto again
}

active proctype Q()
{
end:	do
	:: P[0]@seen -> skip
	:: P[0]@left -> skip
	od
}
