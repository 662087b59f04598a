-- Who knows whom, of three, and a counter: elements have to be told apart by refinement, and few states are saved.
const K: 255;
type P: 1..3;
var knows: array [P] of array [P] of boolean; c: 0..K;
startstate begin for p: P do for q: P do knows[p][q] := false; end; end; c := 0; end;
ruleset p: P; q: P do
  rule "meet" !knows[p][q] ==> begin knows[p][q] := true; end;
  rule "forget" knows[p][q] & c % 2 = 1 ==> begin knows[p][q] := false; end;
end;
rule "count" begin c := (c + 1) % (K + 1); end;
