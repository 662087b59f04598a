/* A select that has no values chooses the lower bound; a for loop that has none is not entered, and has set its variable. */
/* noether: verdict=holds states=8 */
byte low = 3, high = 1, seen;
int i;
active proctype P()
{
    byte k;
    select (k : low .. high);
    assert(k == 3);
    for (i : low .. high) {
        seen = 1
    }
    assert(seen == 0 && i == 3)
}
