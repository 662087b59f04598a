-- Paths end in states without successors: there EX is false, AX true, and EG f, AF f are what f is.
--
-- noether: verdict=holds deadlock=off states=5 canonical=5 rules=5 canonical_rules=5
-- noether: rumur=no
var x: 0..4;
startstate begin x := 0; end;
rule "on" x < 3 ==> begin x := x + 1; end;
rule "stay" x = 2 ==> begin end;
rule "branch" x = 1 ==> begin x := 4; end;
ctl "nothing comes after the end" AG (x >= 3 -> !EX true & AX false);
ctl "at the end always and now are the same" AG (x >= 3 -> (EG x = 3 & AG x = 3) | (AF x = 4 & EG x = 4));
ctl "it may stay at two for ever" EF EG x = 2;
ctl "so it need not end" !AF deadlock & EF deadlock;
ctl "the ends are deadlocks" AG (x >= 3 -> deadlock) & AG (deadlock -> x >= 3);
ctl "one before" AG (x = 4 -> EY x = 1 & !EY x = 3) & AG (x = 3 -> EP x = 1 & !EP x = 4);
ctl "until the end" A[x < 3 U x = 1 | x = 4] & !A[x < 2 U x = 3] & E[x < 3 U x = 3];
