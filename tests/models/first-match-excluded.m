-- A first match again, in a model where nothing is violated: the loop excludes P, so nothing is reduced and no state is lost.
-- (The peers accept the loop and claim 102 states with symmetry.)
--
-- noether: verdict=holds states=405 canonical=405 rules=729 canonical_rules=729
-- noether: rumur=yes
const N: 3;
type P: scalarset(N);
var want: array [P] of boolean; chosen: P; turns: array [P] of 0..2;
startstate begin for p: P do want[p] := false; turns[p] := 0; end; end;
ruleset p: P do
  rule "want" isundefined(chosen) & !want[p] ==> begin want[p] := true; end;
end;
rule "choose" isundefined(chosen) ==> var found: boolean; begin
  found := false;
  for p: P do
    if want[p] & !found then chosen := p; found := true; end;
  end;
end;
rule "serve" !isundefined(chosen) ==> begin
  want[chosen] := false;
  turns[chosen] := turns[chosen] = 2 ? 0 : turns[chosen] + 1;
  undefine chosen;
end;
