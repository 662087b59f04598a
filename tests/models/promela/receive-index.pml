/* What is received may be the index of the channel that it is received from. */
/* noether: verdict=holds states=5 */
chan q[2] = [1] of { byte };
byte x;

active proctype P()
{
	q[0]!1;
	q[x]?x;
	assert(x == 1 && len(q[0]) == 0 && len(q[1]) == 0)
}
