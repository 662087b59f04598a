/* Two options that are alike but for what is done behind them: the places between are not. */
/* noether: verdict=holds states=140 */
/* noether: symmetry=1 canonical=140 */
chan left = [1] of { byte };
chan right = [1] of { byte };
bit odd;

active proctype dispatcher()
{
end:
    do
    :: len(left) <= len(right) -> left!1
    :: len(right) <= len(left) -> right!1; odd = 1 - odd
    od
}

proctype worker(chan in)
{
    byte j;
end:
    do
    :: in?j; j = 0
    od
}

init { atomic { run worker(left); run worker(right) } }
