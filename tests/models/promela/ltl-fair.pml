/* What weak fairness changes. fair: is asked for. */
/* noether: verdict=holds states=10 */
/* noether: ltl finishes=violated fair:finishes=holds */
/* noether: ltl spins=violated fair:spins=holds */
/* noether: ltl both=violated fair:both=holds */
byte x;
bit done;
active proctype Spinner() { do :: x = 1 - x od }
active proctype Finisher() { do :: (!done) -> done = 1 :: (done) -> skip; done = 1 od }
ltl finishes { <> (done) }
ltl spins { [] <> (x == 1) }
ltl both { [] <> (x == 1 && done) }
