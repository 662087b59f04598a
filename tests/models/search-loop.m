-- Loops over scalarsets that return the same constant from everywhere, nested, with something to do after a return, through
-- aliases and pure calls, in a procedure and in a rule: they look at all elements, and both scalarsets are used.
--
-- noether: verdict=holds states=112 canonical=20 rules=728 canonical_rules=148
-- noether: rumur=yes
type P: scalarset(3); Q: scalarset(2);
var on: array [P] of array [Q] of boolean; level: array [P] of 0..1; calm: boolean;

function IsOn(p: P; q: Q): boolean; begin return on[p][q]; end;

function Busy(): boolean; begin
  for p: P do
    if level[p] = 1 then
      for q: Q do if IsOn(p, q) then return true; end; end;
    end;
    alias row: on[p] do
      for q: Q do if row[q] then return true; end; end;
    end;
  end;
  return false;
end;

procedure CalmDown(); begin
  for p: P do if level[p] = 1 then return; end; end;
  calm := true;
end;

startstate begin
  for p: P do level[p] := 0; for q: Q do on[p][q] := false; end; end;
  calm := false;
end;
ruleset p: P do ruleset q: Q do
  rule "on" !Busy() ==> begin on[p][q] := true; end;
  rule "off" on[p][q] ==> begin on[p][q] := false; end;
end; end;
ruleset p: P do
  rule "raise" Busy() & level[p] = 0 ==> begin level[p] := 1; end;
  rule "lower" level[p] = 1 ==> begin level[p] := 0; end;
end;
rule "calm" begin CalmDown(); end;
rule "alarm" begin
  for p: P do if level[p] = 0 then return; end; end;
  calm := false;
end;
invariant "one at most" forall p: P do forall q: Q do on[p][q] ->
  forall r: P do forall s: Q do on[r][s] -> p = r & q = s end end end end;
