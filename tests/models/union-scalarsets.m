-- A union of two scalarsets of different size: pointers that cross, one array over both.
--
-- noether: verdict=holds states=1505 canonical=143 rules=2372 canonical_rules=234
-- noether: rumur=no
type
  A: scalarset(2); B: scalarset(3);
  AB: union { A, B };
var next: array [AB] of AB; cur: AB;
ruleset a: A do
  startstate begin undefine next; cur := a; end;
end;
ruleset x: AB do
  rule "link" isundefined(next[cur]) & x != cur ==> begin next[cur] := x; end;
end;
rule "follow" !isundefined(next[cur]) ==> begin cur := next[cur]; end;
ruleset b: B do
  rule "cut" cur = b & !isundefined(next[b]) & ismember(next[b], A) ==> begin undefine next[b]; end;
end;
