-- Three scalarsets that meet in one array of records, and a global that names an element of each.
--
-- noether: verdict=holds states=128 canonical=16 rules=960 canonical_rules=120
-- noether: rumur=yes
type
  A: scalarset(2); B: scalarset(2); C: scalarset(2);
  R: record b: B; c: C; end;
var
  r: array [A] of R;
  pa: A; pb: B; pc: C;
ruleset b: B; c: C; a: A do
  startstate begin
    for x: A do r[x].b := b; r[x].c := c; end;
    pa := a; pb := b; pc := c;
  end;
end;
ruleset a: A; b: B do rule "b" pb != b ==> begin r[a].b := b; end; end;
ruleset a: A; c: C do rule "c" pa = a ==> begin r[a].c := c; end; end;
ruleset a: A do rule "pa" r[a].b = pb ==> begin pa := a; end; end;
ruleset b: B do rule "pb" r[pa].b = b ==> begin pb := b; end; end;
ruleset c: C do rule "pc" exists a: A do r[a].c != c end ==> begin pc := c; end; end;
