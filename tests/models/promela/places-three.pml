/* Conjunctions whose operands stand in another order for each worker: lengths of channels always have a value, so that their order does not matter. */
/* noether: verdict=holds states=887 */
/* noether: symmetry=6 canonical=190 */
chan a = [1] of { byte };
chan b = [1] of { byte };
chan c = [1] of { byte };

active proctype dispatcher()
{
end:
    do
    :: len(a) <= len(b) && len(a) <= len(c) -> a!1
    :: len(b) <= len(c) && len(b) <= len(a) -> b!1
    :: len(c) <= len(a) && len(c) <= len(b) -> c!1
    od
}

proctype worker(chan in)
{
    byte j;
end:
    do
    :: in?j; skip; j = 0
    od
}

init { atomic { run worker(a); run worker(b); run worker(c) } }
