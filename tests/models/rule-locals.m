-- Constants, types and variables declared inside a rule; they do not live from one firing to the next.
--
-- noether: verdict=holds states=5 canonical=5 rules=5 canonical_rules=5
-- noether: rumur=yes
var n: 0..7; undef: boolean;
startstate begin n := 0; undef := true; end;
rule "step"
  n < 7
==>
  const Step: 2;
  type Word: array [0..2] of 0..7;
  var w: Word; k: 0..7;
begin
  undef := isundefined(k);
  k := n;
  for i: 0..2 do w[i] := k; end;
  n := w[2] + (w[2] + Step > 7 ? 1 : Step);
end;
rule "back" n = 7 ==> begin n := 0; end;
invariant "fresh" undef;
