/* The formula stays the same when the processes are exchanged, its propositions do not: no symmetry is left. */
/* noether: verdict=holds states=4 */
/* noether: ltl both=violated */
/* noether: symmetry=1 */
/* noether: ltl either=holds */
bool x[2];
active [2] proctype P()
{
    do
    :: x[_pid] = 1; x[_pid] = 0
    od
}
ltl both { ([] <> (x[0])) && ([] <> (x[1])) }
ltl either { ([] <> (x[0])) || ([] <> (x[1])) }
