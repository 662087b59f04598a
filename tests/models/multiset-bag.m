-- A multiset of numbers: the order of arrival does not matter. 1 + 3 + 6 + 10 bags of at most three out of three.
--
-- noether: verdict=holds states=20 canonical=20 rules=64 canonical_rules=64
-- noether: rumur=no
type T: 1..3;
var bag: multiset [3] of T; n: 0..9;
startstate begin undefine bag; n := 0; end;
ruleset t: T do
  rule "add" multisetcount(i: bag, true) < 3 ==> begin multisetadd(t, bag); n := n + t; end;
end;
choose i: bag do
  rule "remove" bag[i] != 2 | n = 6 ==> begin n := n - bag[i]; multisetremove(i, bag); end;
end;
invariant "size" multisetcount(i: bag, bag[i] > 0) <= 3;
