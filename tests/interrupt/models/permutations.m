-- All permutations of five points, as graphs; a step exchanges two images. Points in cycles of different lengths look
-- alike to refinement, so the canonicaliser has to search, and its search polls.
type point: scalarset(5);
var next: array [point] of array [point] of boolean;
    turned: boolean;

startstate
  for i: point do for j: point do next[i][j] := i = j; endfor; endfor;
  turned := false;
endstartstate;

ruleset i: point; j: point do
  rule "exchange" i != j & !turned ==>
    for k: point do
      if next[i][k] != next[j][k] then
        next[i][k] := !next[i][k];
        next[j][k] := !next[j][k];
      endif;
    endfor;
    turned := true;
  endrule;
endruleset;

rule "turn" turned ==> turned := false; endrule;

invariant "one image each" forall i: point do exists j: point do next[i][j] endexists endforall;
