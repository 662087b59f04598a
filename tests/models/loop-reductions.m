-- Maxima, minima, sums, conjunctions and the like over a scalarset: their iterations commute, so P keeps its symmetry.
--
-- noether: verdict=holds states=27 canonical=10 rules=81 canonical_rules=30
-- noether: rumur=yes
type P: scalarset(3); R: 0..2;
var x: array [P] of R; most: R; least: R; sum: 0..6; odd: boolean; any: boolean; all: boolean; zeros: 0..3;
procedure raise(var m: R; v: R); begin if v > m then m := v; end; end;
startstate begin
  for p: P do x[p] := 0; end;
  most := 0; least := 0; sum := 0; odd := false; any := false; all := true; zeros := 3;
end;
ruleset p: P do
  rule "change" begin
    x[p] := (x[p] + 1) % 3;
    most := 0; least := 2; sum := 0; odd := false; any := false; all := true; zeros := 0;
    for q: P do
      raise(most, x[q]);
      least := x[q] < least ? x[q] : least;
      sum := sum + x[q];
      odd := odd != (x[q] = 1);
      any := any | x[q] = 2;
      all := all & x[q] = 0;
      if x[q] = 0 then zeros := zeros + 1; end;
    end;
  end;
end;
invariant "most" exists p: P do x[p] = most end & forall p: P do x[p] <= most end;
invariant "least" exists p: P do x[p] = least end & forall p: P do x[p] >= least end;
invariant "any" any = (most = 2);
invariant "all" all = (sum = 0) & all = (zeros = 3);
