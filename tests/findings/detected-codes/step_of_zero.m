type
  who: scalarset(1);
  step: 0..2;
  key: enum { a, b, c };
var
  steps: array [who] of step;
  keys: array [key] of boolean;
startstate
begin
  for w: who do steps[w] := 0; end;
  for k: key do keys[k] := false; end;
end;
rule "count"
  forall q := 5 to 6 by steps[who] do true end
==>
end;
invariant "defined" (exists s: step do isundefined(steps[who]) end) -> keys[b];
