-- Properties inside rulesets: one for each choice of the parameters (rumur).
--
-- noether: verdict=holds states=6 canonical=6 rules=18 canonical_rules=18
-- noether: rumur=yes
var a: array [0..2] of 0..2;
startstate begin for i: 0..2 do a[i] := i; end; end;
ruleset i: 0..2; j: 0..2 do
  rule "swap" i < j ==> var t: 0..2; begin t := a[i]; a[i] := a[j]; a[j] := t; end;
  invariant "different" i = j | a[i] != a[j];
end;
