-- The semaphore of survey-semaphore.m over counters (Wahl, Donaldson 2010, Figure 7, right): how many processes are in
-- which local state is all that matters, so the program has no processes any more, and no symmetry. It has as many states as
-- the other one has orbits: 9 for 4 processes. "Mutual exclusion" becomes nC < 2. `noether reduce` writes such programs.
--
--     noether check examples/survey-counters.m -D N=1000
--
-- noether: verdict=holds states=9 canonical=9
-- noether: with N=100 verdict=holds states=201 canonical=201
-- noether: rumur=no
const N: 4;
type Count: 0 .. N;
var
  s: boolean;
  nN, nT, nC: Count;

startstate begin s := false; nN := N; nT := 0; nC := 0; end;

rule "try" nN > 0 ==> begin nN := nN - 1; nT := nT + 1; end;
rule "enter" nT > 0 & !s ==> begin nT := nT - 1; nC := nC + 1; s := true; end;
rule "leave" nC > 0 ==> begin nC := nC - 1; nN := nN + 1; s := false; end;

ctl "Mutual exclusion" AG nC < 2;
ctl "If some process tries, some process gets in" AG (nT > 0 -> AF nC > 0);
ctl "It can always come to rest" AG EF nN = N;
