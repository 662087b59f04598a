-- A multiset for each process: a bag of ids under a scalarset.
--
-- noether: verdict=holds states=190 canonical=38 rules=912 canonical_rules=193
-- noether: rumur=no
const N: 3;
type P: scalarset(N); Bag: multiset [2] of P;
var inbox: array [P] of Bag; sent: 0..3;
startstate begin undefine inbox; sent := 0; end;
ruleset p: P; q: P do
  rule "send" sent < 3 & multisetcount(i: inbox[q], true) < 2 ==> begin multisetadd(p, inbox[q]); sent := sent + 1; end;
end;
ruleset p: P do
  choose i: inbox[p] do
    rule "take" inbox[p][i] != p ==> begin multisetremove(i, inbox[p]); sent := sent - 1; end;
  end;
end;
rule "reset" sent = 3 ==> begin undefine inbox; sent := 0; end;
