/* What is violated behind one of two places that can be exchanged is violated behind both. */
/* noether: verdict=violated kinds=assertion states=272 */
/* noether: symmetry=2 */
chan left = [1] of { byte };
chan right = [1] of { byte };
byte waiting;

active proctype dispatcher()
{
    do
    :: len(left) <= len(right) -> waiting++; left!1; waiting--
    :: len(right) <= len(left) -> waiting++; right!1; waiting--
    od
}

proctype worker(chan in)
{
    byte j;
    do
    :: in?j; assert(!(waiting == 1 && len(left) == 1 && len(right) == 1)); j = 0
    od
}

init { atomic { run worker(left); run worker(right) } }
