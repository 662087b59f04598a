/* A dispatcher stands at another place for each worker: an exchange of the workers is one of these places, too. */
/* noether: verdict=holds states=1773 */
/* noether: ltl fed=holds */
/* noether: symmetry=4 canonical=966 */
chan jobs = [2] of { byte };
chan left = [1] of { byte };
chan right = [1] of { byte };
byte served;

active [2] proctype client()
{
end:
    do
    :: jobs!1
    od
}

active proctype dispatcher()
{
    byte j;
end:
    do
    :: jobs?j;
       if
       :: len(left) <= len(right) -> left!j
       :: len(right) <= len(left) -> right!j
       fi
    od
}

proctype worker(chan in)
{
    byte j;
end:
    do
    :: in?j; served = (served + j) % 4; j = 0
    od
}

init { atomic { run worker(left); run worker(right) } }

ltl fed { [] (len(left) + len(right) == 2 -> <> (len(left) + len(right) < 2)) }
