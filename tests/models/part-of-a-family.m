-- An array over a part of a family: not every element has a cell there. (The analysis of the rules once looked for one.)
--
-- noether: verdict=holds states=32 canonical=20 rules=80 canonical_rules=50 deadlock=off
-- noether: rumur=yes
type
  T: 1..4;
  S: 1..3;
var
  on: array [S] of boolean;
  w: array [T] of boolean;
startstate begin for i: S do on[i] := false; end; for i: T do w[i] := i > 1; end; end;
ruleset i: S do
  rule "follow" on[i] != w[i] ==> begin on[i] := w[i]; end;
end;
ruleset i: T do
  rule "swap" w[1] != w[i] ==> begin w[i] := !w[i]; end;
end;
invariant "some" exists i: T do w[i] end | !w[1];
